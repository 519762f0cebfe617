# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reports of runs that are told event by event, as Ansible tells its callbacks, and what they say."""

import json
from types import SimpleNamespace

from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.gather import Gathering
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.json import as_json
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.view import view_of

TOKEN = "token-that-nobody-may-see"
PLACES = ("unreachable", "failed_elsewhere", "interrupted")
AMOUNTS = ("changes", "unfinished", "recovered", "findings", "service_owned")


def change(name="www.example.com.", action="create", **fields):
    """A change in a result: a new address, unless the fields say otherwise."""
    after = {"ttl": 300, "contents": ["192.0.2.1"]}
    return {"name": name, "type": "A", "action": action, "before": None, "after": after, **fields}


FINE = {"changed": False, "zone": "example.com", "changes": [], "recovered": []}
WROTE = {**FINE, "changed": True, "changes": [change()]}
REFUSED = {"changed": False, "msg": "Zone example.com: no.", "status_code": 401, "changes": []}
HALF = {**REFUSED, "changed": True, "changes": [change()], "unfinished": [change("x.example.com.")]}


class Told:
    """What Ansible hands its callbacks with an event, as far as the report looks at it."""

    def __init__(
        self,
        result,
        host="localhost",
        name="Keep it",
        zone="Example.COM.",
        action="zonesmith.dns.dns_record",
        **task,
    ):
        fields = {
            "action": action,
            "resolved_action": action,
            "check_mode": False,
            "get_name": lambda: name,
            "ignore_unreachable": False,
            "no_log": False,
            "_parent": None,
            "_uuid": "1",
        }
        self._task = SimpleNamespace(**{**fields, **task})
        self._host = SimpleNamespace(get_name=lambda: host)
        secrets = {"module_args": {"access_token": TOKEN, "state_url": TOKEN}}
        self._result = {**result, "invocation": secrets}
        self._task_fields = {"args": {"zone": zone, "access_token": TOKEN}}
        self.task_name = name


def began(**task):
    told = Told({}, **task)
    return lambda run: run.began(told._host, told._task)


def item(result, *, failed=False, **task):
    return lambda run: run.item(Told(result, **task), failed=failed)


def tried(result, **task):
    return lambda run: run.tried(Told(result, **task))


def ended(result, *, failed=False, ignored=False, **task):
    return lambda run: run.ended(Told(result, **task), failed=failed, ignored=ignored)


def skipped(**task):
    return lambda run: run.closed(Told({}, **task))


def unreachable(result, **task):
    return lambda run: run.unreachable(Told(result, **task))


def view_after(*steps, plays=0, ends=True):
    """The report after a run of a playbook, of whose plays none has begun."""
    run = Gathering()
    uuids = [SimpleNamespace(_uuid=str(number)) for number in range(plays)]
    playbook = SimpleNamespace(_file_name="/home/somebody/zones.yml", get_plays=lambda: uuids)
    run.playbook(playbook)
    for step in steps:
        step(run)
    if ends:
        run.playbook_ended()
    return view_of(run.finished())


def document_of(view):
    """What the JSON report says."""
    return json.loads(as_json(view))


def said(view):
    """What a report says, a line for each task of a zone and for whatever else it tells."""
    document = document_of(view)
    lines = []
    for zone in document["zones"]:
        lines += [f"{zone['zone']} is {zone['state']}{_of(task)}" for task in zone["tasks"]]
    lines += [f"no zone{_of(task)}" for task in document["without_zone"]]
    lines += [f"{zone} is untouched" for zone in document["untouched"]]
    for kind in PLACES:
        for place in document[kind]:
            words = [kind, place["task"], place["host"], place["msg"], place["handled"]]
            lines.append(", ".join(word for word in words if word))
    if document["hidden"]["results"]:
        lines.append(
            f"{document['hidden']['results']} hidden, {document['hidden']['failed']} failed"
        )
    if not document["complete"]:
        lines.append("ended early")
    return lines


def _of(task):
    words = [f"{len(task[kind])} {kind}" for kind in AMOUNTS if task[kind]]
    words += ["unmanaged"] * task["unmanaged"]
    words += [f"warning: {warning}" for warning in task["warnings"]]
    if task["failure"]:
        handled = task["failure"]["handled"]
        words.append(f"failed{f' ({handled})' if handled else ''}: {task['failure']['msg']}")
    return "".join(f", {word}" for word in words)
