# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a workflow runs of others is named by its commit, and no step but theirs is given a token."""

import pathlib
import re

import pytest
import yaml

GITHUB = pathlib.Path(__file__).parents[2] / ".github"
WORKFLOWS = sorted([*GITHUB.glob("workflows/*.yml"), *GITHUB.glob("workflows/*.yaml")])
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
OWN = "./.github/workflows/ci.yml"
READING = {"contents": "read"}
RELEASING = {"attestations": "write", "contents": "write", "id-token": "write"}


def read(workflow):
    return yaml.safe_load(workflow.read_text(encoding="utf-8"))


def jobs(workflow):
    return read(workflow)["jobs"]


def steps(workflow):
    for job in jobs(workflow).values():
        yield from job.get("steps", [])


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.name)
def test_an_action_is_named_by_its_commit_with_its_release_beside_it(
    workflow,
):
    lines = re.findall(r"^[ -]*uses: *(.*)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == sum(
        "uses" in part for part in [*steps(workflow), *jobs(workflow).values()]
    )
    assert [line for line in lines if not PINNED.fullmatch(line) and line != OWN] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.name)
def test_a_token_may_read_and_stays_with_the_actions_that_need_it(workflow):
    assert read(workflow)["permissions"] == {}
    writing = {"release"} if workflow.name == "release.yml" else set()
    for name, job in jobs(workflow).items():
        assert job["permissions"] == (RELEASING if name in writing else READING), name
        given = re.search(r"secrets|github\.token|GITHUB_TOKEN", str(job))
        assert not given or name in writing, name
    checkouts = [
        step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert "pull_request_target" not in str(read(workflow))


def test_who_may_write_runs_nothing_but_actions_and_programs_of_the_runner():
    job = jobs(GITHUB / "workflows" / "release.yml")["release"]
    used = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]
    assert used == ["actions/download-artifact", "actions/attest"]
    assert {step["run"].split()[0] for step in job["steps"] if "run" in step} == {"sha256sum", "gh"}


def test_a_release_waits_for_all_gates():
    needed = {
        name: job.get("needs") for name, job in jobs(GITHUB / "workflows" / "release.yml").items()
    }
    assert needed == {"tag": None, "gates": "tag", "archive": "gates", "release": "archive"}
    assert jobs(GITHUB / "workflows" / "release.yml")["gates"]["uses"] == OWN


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda file: file.name)
def test_no_text_of_a_pull_request_becomes_part_of_a_command(workflow):
    expressions = re.findall(
        r"\$\{\{(.*?)\}\}", "".join(step.get("run", "") for step in steps(workflow))
    )
    assert [
        expression for expression in expressions if not expression.strip().startswith("matrix.")
    ] == []
