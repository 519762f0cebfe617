# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs of the examples, for GitHub and GitLab: what they may do, what they know, and that both run the same."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from documents import REPOSITORY
from forges import GitHub, GitLab

EXAMPLES = REPOSITORY / "docs" / "examples"
WORKFLOWS = sorted(EXAMPLES.glob("*/workflow.yml"))


def read(path):
    return yaml.safe_load(path.read_text("utf-8"))


GITHUB = {name: job for path in WORKFLOWS for name, job in read(path)["jobs"].items()}
GITLAB = {
    name: job for path in sorted(EXAMPLES.glob("*/gitlab.yml")) for name, job in read(path).items()
}
STEPS = [(name, step) for name, job in GITHUB.items() for step in job["steps"]]


def test_each_job_may_do_what_it_needs():
    assert [read(path)["permissions"] for path in WORKFLOWS] == [{}, {}]
    may_write = {
        (name, scope)
        for name, job in GITHUB.items()
        for scope, right in job["permissions"].items()
        if right == "write"
    }
    assert may_write == {("comment", "pull-requests"), ("issue", "issues")}
    checkouts = [step for _job, step in STEPS if "checkout@" in step.get("uses", "")]
    assert all(one["with"]["persist-credentials"] is False for one in checkouts)


def test_what_they_run_of_others_is_pinned_as_in_the_project_s_own_workflows():
    """Which is what is kept up to date."""
    own = "".join(path.read_text("utf-8") for path in REPOSITORY.glob(".github/workflows/*.yml"))
    for workflow in WORKFLOWS:
        text = workflow.read_text("utf-8")
        used = re.findall(r"(?m)^ +(?:- )?uses: (.*)$", text)
        assert used
        for action in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)
            assert action in own


def test_no_name_of_a_branch_becomes_part_of_a_command():
    """Titles and authors are variables too; a job that names none in a command cannot run one."""
    scripts = ("script", "before_script", "after_script")
    commands = [
        line for job in GITLAB.values() for script in scripts for line in job.get(script, [])
    ]
    # The base is a commit, whose name nobody chooses.
    base = '"${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-$CI_MERGE_REQUEST_DIFF_BASE_SHA}"'
    assert "$" not in "".join(commands).replace(base, "")
    assert "${{" not in "".join(step.get("run", "") for _job, step in STEPS)


def test_the_runner_of_github_obeys_nothing_that_ansible_prints():
    """Ansible itself prints results as they are. The runner resumes with the next step."""
    playing = [step["run"] for _job, step in STEPS if "ansible-playbook" in step.get("run", "")]
    assert len(playing) == 4
    unknown = "$(cat /proc/sys/kernel/random/uuid)"
    assert [run.splitlines()[0] for run in playing] == [f'echo "::stop-commands::{unknown}"'] * 4


def with_secret(secret):
    return {job for job, step in STEPS if secret in json.dumps(step)}


def test_secrets_are_where_they_are_needed_and_a_fork_gets_none():
    assert with_secret("secrets.") == {"drift", "plan", "apply"}
    assert with_secret("github.token") == {"comment", "apply", "issue"}
    without_steps = {name: {**job, "steps": []} for name, job in GITHUB.items()}
    assert "secrets." not in json.dumps(without_steps)
    workflow = (EXAMPLES / "zone_in_git" / "workflow.yml").read_text("utf-8")
    assert "pull_request_target" not in workflow
    ours = "github.event.pull_request.head.repo.full_name == github.repository"
    assert ours in GITHUB["plan"]["if"]
    assert GITHUB["apply"]["if"] == "github.event_name == 'push'"
    assert GITHUB["apply"]["environment"] == "dns"
    # The job that may write runs nothing of the pull request.
    checkout, *steps = GITHUB["comment"]["steps"]
    assert checkout["with"]["ref"] == "${{ github.event.pull_request.base.sha }}"
    assert [one["run"] for one in steps if "run" in one] == [
        "pip install requests",
        "python pipeline.py note plans",
    ]


def test_jobs_of_forks_get_no_plan_and_one_job_applies_at_a_time():
    ours = "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID"
    for name in ("dns-plan", "dns-note"):
        (rule,) = GITLAB[name]["rules"]
        assert rule["if"] == f'$CI_PIPELINE_SOURCE == "merge_request_event" && {ours}'
    applies = GITLAB["dns-apply"]
    (rule,) = applies["rules"]
    assert rule["if"] == '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'
    assert (applies["resource_group"], applies["interruptible"]) == ("dns", False)
    assert [name for name, job in GITLAB.items() if "environment" in job] == ["dns-apply"]


def commands(scripts):
    """The lines of scripts that run Ansible or a program."""
    lines = [line for script in scripts for line in script.splitlines()]
    of_them = [line for line in lines if line.startswith(("ansible-playbook", "python"))]
    return [line.removesuffix(" &&") for line in of_them]


@pytest.mark.parametrize(
    "name, other",
    [
        ("plan", "dns-plan"),
        ("comment", "dns-note"),
        ("apply", "dns-apply"),
        ("drift", "dns-drift"),
    ],
)
def test_both_run_the_same(name, other):
    of_github = commands([step.get("run", "") for step in GITHUB[name]["steps"]])
    assert of_github == commands(GITLAB[other]["script"])


def test_the_names_that_the_program_looks_for_are_those_of_the_jobs():
    assert {GitHub.job, GitLab.job} <= {*GITHUB, *GITLAB}
    run_name = read(EXAMPLES / "zone_in_git" / "workflow.yml")["run-name"]
    assert run_name == "DNS plan of number ${{ github.event.number }}"
    assert GITHUB["plan"]["steps"][-1]["with"]["name"] == "plans"


def test_what_is_only_yaml_is_as_the_published_schemas_say():
    """Of check-jsonschema, which has them with it."""
    check = Path(sys.executable).parent / "check-jsonschema"
    for schema, name in (("gitlab-ci", "gitlab"), ("github-workflows", "workflow")):
        files = [str(path) for path in EXAMPLES.glob(f"*/{name}.yml")]
        assert len(files) == 2
        done = subprocess.run(
            [check, "--builtin-schema", f"vendor.{schema}", *files],
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout
