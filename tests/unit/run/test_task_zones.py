# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""dns_zones and the zones of the account that it does not have: given this list and this task, what is told."""

from types import SimpleNamespace

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import ListedZone
from ansible_collections.zonesmith.dns.plugins.module_utils._run.task_zones import unmanaged_zones

FILES = {
    "zones": {"reason": "it is a folder"},
    "zones/example.com.zone": {"text": "www 300 A 192.0.2.1\n"},
    "zones/example.net.zone": {"text": "www 300 A 192.0.2.1\n"},
}
LIST = "GET /dns/domains"
WAY_OUT = "list the ones you expect in unmanaged_ignore, or set unmanaged to warn"


@pytest.fixture
def account(service):
    """An account with example.com and example.net, as their files say, and two more."""
    for name in ("example.com", "example.net", "old.example.org", "xn--bcher-kva.example"):
        service.zone(name, [("www", "A", 300, ["192.0.2.1"])])
    service.clear_log()
    return service


def of_folder(run, **options):
    """What dns_zones says of the folder."""
    return run("dns_zones", **{"src": "zones", "_files": FILES, **options})


TOLD = "the account has 2 zones without a file in zones: old.example.org, xn--bcher-kva.example"


@pytest.mark.parametrize("check", [True, False])
def test_zones_without_a_file_are_told_for_one_request(account, run, check):
    result = of_folder(run, check=check, concurrency=1)
    assert (result["changed"], result["warnings"]) == (False, [TOLD])
    assert result["unmanaged"] == ["old.example.org", "xn--bcher-kva.example"]
    assert [item["zone"] for item in result["zones"]] == ["example.com", "example.net"]
    assert account.calls() == ["GET /dns/domains/examplecom", "GET /dns/domains/examplenet", LIST]


def test_nobody_asks_who_ignores_it(account, run):
    for result in (
        of_folder(run, unmanaged="ignore"),
        run("dns_zones", zones=["example.com"], records=[]),
    ):
        assert not {"unmanaged", "warnings"} & result.keys()
    assert LIST not in account.calls()


def test_a_task_that_lists_zones_can_ask_too(account, run):
    result = run("dns_zones", zones=[{"zone": "EXAMPLE.com.", "records": []}], unmanaged="warn")
    assert result["unmanaged"] == ["example.net", "old.example.org", "xn--bcher-kva.example"]
    assert result["warnings"][0].startswith(
        "the account has 3 zones that the task does not list: example.net, old"
    )
    assert account.calls().count(LIST) == 1


@pytest.mark.parametrize(
    "globs, left",
    [
        (["*"], []),
        (["OLD.example.org.", "bücher.example"], []),
        (["example.org"], ["old.example.org", "xn--bcher-kva.example"]),
    ],
)
@pytest.mark.usefixtures("account")
def test_those_that_are_meant(run, globs, left):
    result = of_folder(run, unmanaged_ignore=globs)
    told = [one for one in result.get("warnings", []) if one.startswith("the account has")]
    assert (result["unmanaged"], len(told)) == (left, min(len(left), 1))


@pytest.mark.usefixtures("account")
def test_zones_outside_the_limit_are_not_looked_for(run):
    assert of_folder(run, limit=["example.*"])["unmanaged"] == []


NEW = {**FILES, "zones/example.com.zone": {"text": "new 300 A 192.0.2.9\n"}}


@pytest.mark.parametrize("check", [True, False])
def test_an_error_is_one_before_anything_is_written(account, run, check):
    result = of_folder(run, _files=NEW, unmanaged="error", check=check)
    assert result["msg"] == f"Nothing was written, because {TOLD}; {WAY_OUT}."
    assert (result["changed"], len(result["unmanaged"])) == (check, 2)
    assert result.get("untouched", []) == ([] if check else ["example.com"])
    assert not [call for call in account.calls() if not call.startswith("GET")]


def test_beside_the_failure_of_a_zone(account, run):
    account.fault("status", method="GET", path="/dns/domains/examplenet", status=403, times=0)
    refused = of_folder(run, _files=NEW, unmanaged="error")
    assert refused["msg"].startswith(
        "1 of 2 zones cannot be planned, and nothing was changed. Zone example.net: "
    )
    assert refused["msg"].endswith(f" Nothing was written, because {TOLD}; {WAY_OUT}.")


UNTOLD = "the account may have zones without a file in zones: the service answered 403: Not yours (see access_token)"


def test_a_list_that_cannot_be_read(account, run):
    """It is the third request, after those for the two zones."""
    not_listed = {"method": "GET", "nth": 3, "status": 403, "body": {"message": "Not yours"}}
    account.fault("status", **not_listed)
    warned = of_folder(run, concurrency=1)
    assert (warned.get("failed"), warned["unmanaged"], warned["warnings"]) == (None, None, [UNTOLD])
    account.fault("status", **not_listed)
    refused = of_folder(run, concurrency=1, unmanaged="error")
    assert (refused["msg"], refused["status_code"]) == (
        f"Nothing was written, because {UNTOLD}; {WAY_OUT}.",
        403,
    )


FOLDER = {"src": "zones", "unmanaged": None, "unmanaged_ignore": [], "only": [], "limit": None}


@pytest.mark.usefixtures("account")
@pytest.mark.parametrize("mode", ["warn", "error"])
def test_what_is_told_of_a_list_that_is_not_complete(service, run, mode):
    service.settings(list_total_extra=1)
    result = of_folder(run, unmanaged_ignore=["*"], unmanaged=mode)
    assert result["unmanaged"] is None
    assert (
        "the account may have zones without a file in zones: the service lists 4 of 5 zones, and its specification "
        "offers no way to list the others"
    ) in result.get("msg", result.get("warnings", [""])[0])


def test_a_name_that_is_none_is_shown_so_that_it_can_be_seen():
    zones = [ListedZone(name, name, "slug", "active") for name in ("a\x1b[2Jb", "x" * 900)]
    one = unmanaged_zones(FOLDER, SimpleNamespace(list_zones=lambda: zones), [])
    (warning,) = one.warnings
    assert (warning.isprintable(), len(warning) < 450) == (True, True)
