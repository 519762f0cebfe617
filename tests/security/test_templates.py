# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""No text of the service is a template: not in a result, a message, a diff, a zone file, or what tasks make of them."""

import itertools
import json
import re
from dataclasses import dataclass

import pytest
from in_front import Front, case_of
from playing import Played, play
from raw import as_json, whole
from running import Service

TOKEN = "token-that-nobody-may-see"
ZONE, WRITABLE, REFUSING = "example.com", "example.edu", "example.org"
HONEST = "honest"
DEBUG = "ansible.builtin.debug"
READ_WRITABLE, WRITE_FILE, FEED = (
    "Read the zone that can be written",
    "Write the zone file",
    "Feed another zone",
)
PRUNE, REFUSE = "Prune the zone", "Be refused"
MODES = ("module", "direct")


class Traps:
    """Texts that make a file, named after the place they are in, where anybody takes them for a template."""

    def __init__(self, folder):
        self._folder = folder
        folder.mkdir()

    def at(self, place):
        """The texts for one place, one for each way to begin a template."""
        opened = [f"lookup('pipe', 'touch {self._folder}/{place}-{way}')" for way in range(4)]
        return [
            "{{ " + opened[0] + " }}",
            "{% if " + opened[1] + " %}{% endif %}",
            "#jinja2: variable_start_string:'[%', variable_end_string:'%]'\n[% "
            + opened[2]
            + " %]",
            "x\"'}}{{ " + opened[3] + " }}",
        ]

    def sprung(self):
        """The places whose texts were taken for templates."""
        return sorted(file.name for file in self._folder.iterdir())


def row(name, rdtype, value):
    return {"name": name, "type": rdtype, "ttl": 300, "contents": [value]}


def apex(zone):
    return row(f"{zone}.", "SOA", "ns1. host. 1 2 3 4 5")


def writable(traps):
    """A zone that a zone file can hold, with traps in its values."""
    quoted = [json.dumps(trap) for trap in traps.at("quoted") if trap.isprintable()]
    texts = [*traps.at("text"), *quoted]
    return [
        apex(WRITABLE),
        *(row(f"text{number}.{WRITABLE}.", "TXT", text) for number, text in enumerate(texts)),
        row(f"alias.{WRITABLE}.", "ALIAS", traps.at("alias")[0]),
    ]


def everywhere(traps):
    """A zone that holds traps in every field that is a text."""
    return [
        apex(ZONE),
        *(
            row(f"value{number}.{ZONE}.", rdtype, trap)
            for rdtype in ("TXT", "ALIAS", "A")
            for number, trap in enumerate(traps.at(f"value-{rdtype}"))
        ),
        *(row(f"{trap}.{ZONE}.", "TXT", "text") for trap in traps.at("owner-name")),
        *(
            row(f"type{number}.{ZONE}.", trap, "text")
            for number, trap in enumerate(traps.at("type"))
        ),
    ]


def envelope(data, **fields):
    return as_json({"status": "Success", "data": data, **fields})


def answering(traps):
    """What the hostile service says: its zones and records are traps, and so is each refusal."""
    listed = [
        {"name": zone, "slug": zone.replace(".", ""), "status": traps.at("status")}
        for zone in (ZONE, WRITABLE)
    ]
    listed += [{"name": trap, "slug": trap, "status": {trap: trap}} for trap in traps.at("zone")]
    pages = {
        "": envelope(listed, total=len(listed)),
        "/examplecom": envelope({"records": everywhere(traps)}),
        "/exampleedu": envelope({"records": writable(traps)}),
        "/exampleorg": envelope({"records": [apex(REFUSING)]}),
    }
    refusals = itertools.count()

    def answer(request):
        path = request.path.partition("/dns/domains")[2]
        if case_of(request) == HONEST:
            return None
        if request.method == "GET" and path in pages:
            return pages[path]
        trap = traps.at(f"message-{request.method}")[next(refusals) % 4]
        refusal = {"status": trap, "message": trap, "errors": {trap: [trap]}}
        return whole(json.dumps(refusal).encode(), status="422 No")

    return answer


RECORDS = "writable.zones[0].records"
TEXT = f"{RECORDS} | zonesmith.dns.to_zone_file('{WRITABLE}')"
ENTRIES = f"{TEXT} | zonesmith.dns.from_zone_file('{WRITABLE}')"


def used(name, result):
    """Tasks that use a result in the ways that evaluate what they are given."""
    shown = {"msg": f"{{{{ kept }}}} {{{{ also }}}} It is {{{{ ({result}) | string }}}}"}
    return [
        {"name": f"Show {name}", DEBUG: {"var": result}},
        {"name": f"Keep {name}", "ansible.builtin.set_fact": {"kept": f"{{{{ {result} }}}}"}},
        {
            "name": f"Use what was kept of {name}",
            DEBUG: shown,
            "vars": {"also": "{{ kept }}"},
            "when": [f"({result}) is defined", f"({result}) != 'x'", "kept is defined"],
        },
    ]


def looped(name, items):
    """Tasks that take the items of a list apart."""
    return [
        {
            "name": f"Loop over {name}",
            DEBUG: {"msg": "{{ item }} {{ inner }} of {{ item | string }}"},
            "loop": f"{{{{ {items} }}}}",
            "loop_control": {"label": "{{ item }}"},
            "vars": {"inner": "{{ item.values() | list if item is mapping else item }}"},
            "when": "item | string is defined",
        },
        {
            "name": f"Variables made of {name}",
            DEBUG: {"msg": "{{ listed }} {{ listed[0] }} {{ first }}"},
            "vars": {"listed": f"{{{{ {items} }}}}", "first": "{{ listed[0] }}"},
        },
    ]


def module(module, what, register, /, **options):
    return {"name": what, f"zonesmith.dns.{module}": options, "register": register}


def tasks(file):
    """All that a playbook does with what the service says, a zone *file* of it among that."""
    set_of_texts = {"name": "www", "type": "TXT", "content": ["text"]}
    return [
        {"name": "Evaluate a template of the playbook's own", DEBUG: {"msg": "{{ proof }}"}},
        module("dns_zone_info", "Read the account", "account"),
        *looped("the zones", "account.zones"),
        module("dns_zone_info", "Read the zone", "live", zone=ZONE),
        *used("the zone", "live"),
        *looped("the records", "live.zones[0].records"),
        module("dns_zone_info", READ_WRITABLE, "writable", zone=WRITABLE),
        *used("the zone file", TEXT),
        *used("the entries", ENTRIES),
        *looped("the entries", ENTRIES),
        {
            "name": WRITE_FILE,
            "ansible.builtin.copy": {"content": f"{{{{ {TEXT} }}}}", "dest": file, "mode": "0600"},
        },
        module(
            "dns_records",
            PRUNE,
            "pruned",
            zone=ZONE,
            records=[dict(set_of_texts)],
            prune=True,
            prune_limit=100,
        ),
        *used("what was pruned", "pruned"),
        *used("the way back", "pruned | zonesmith.dns.reversal"),
        module("dns_record", REFUSE, "refused", zone=REFUSING, **set_of_texts),
        *used("the refusal", "refused"),
    ]


def feeding(file):
    """What a playbook does to move the zone to another service."""
    return [
        module("dns_records", FEED, "fed", zone=WRITABLE, records=f"{{{{ {ENTRIES} }}}}"),
        {
            "name": "Hand the file to the role",
            "ansible.builtin.include_role": {"name": "zonesmith.dns.zone"},
            "vars": {"zone_name": WRITABLE, "zone_file": file},
        },
        *used("what the role did", "zone_result"),
    ]


@dataclass(frozen=True)
class Scene:
    """What the run said, the traps that were laid, those that had to go off, and the zone that was written."""

    played: Played
    traps: Traps
    proofs: Traps
    written: list


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """All tasks run twice, with the modules in processes of their own and in Ansible's workers."""
    folder = tmp_path_factory.mktemp("templates")
    traps, proofs = Traps(folder / "traps"), Traps(folder / "proofs")
    hosts = {
        mode: {"zonesmith_direct": mode == "direct", "proof": proofs.at(mode)[0]} for mode in MODES
    }
    file = f"{folder}/{{{{ inventory_hostname }}}}.zone"
    common = {"hosts": "all", "gather_facts": False, "ignore_errors": True}
    with (
        Service(zones=[WRITABLE], token=TOKEN) as service,
        Front(service.url, answering(traps)) as front,
    ):
        honest = {"group/zonesmith.dns.all": {"base_url": f"{front.url}/{HONEST}"}}
        plays = [
            {"name": "Read", **common, "tasks": tasks(file)},
            {"name": "Write", **common, "tasks": feeding(file), "module_defaults": honest},
        ]
        environment = service.environment(folder / "state") | {
            "ZONESMITH_BASE_URL": f"{front.url}/hostile"
        }
        played = play(
            plays, {"all": {"hosts": hosts}}, environment, verbosity=1, arguments=["--diff"]
        )
        return Scene(played, traps, proofs, service.records(WRITABLE))


def test_no_text_of_the_service_is_evaluated(scene):
    assert scene.traps.sprung() == []


def test_a_template_of_the_playbook_is_evaluated(scene):
    """What shows that the traps work."""
    assert scene.proofs.sprung() == ["direct-0", "module-0"]


@pytest.mark.parametrize(
    "task, ended",
    [
        (READ_WRITABLE, {"ok"}),
        ("Show the zone file", {"ok"}),
        ("Use what was kept of the entries", {"ok"}),
        (WRITE_FILE, {"changed"}),
        (FEED, {"ok", "changed"}),
        ("zonesmith.dns.zone : Keep the zone as it should be", {"ok"}),
        (PRUNE, {"fatal"}),
        (REFUSE, {"fatal"}),
    ],
)
def test_the_traps_went_all_the_way(scene, task, ended):
    """Nothing is proved by tasks that ended before they came to them. Of two that feed one zone, one changes it."""
    tasks = re.split(r"^TASK \[", scene.played.output, flags=re.MULTILINE)
    part = next(part for part in tasks if part.startswith(f"{task}]"))
    found = re.findall(r"^(ok|changed|fatal): \[(\w+)\]", part, re.MULTILINE)
    assert {host for _outcome, host in found} == set(MODES), part
    assert {outcome for outcome, _host in found} <= ended, part


def test_what_was_fed_to_another_zone_is_what_was_read(scene):
    stored = json.dumps([row["contents"] for row in scene.written])
    assert stored.count("lookup('pipe'") == 8


def test_no_control_character_reaches_the_terminal(scene):
    assert not re.search(r"[^\n -~]", scene.played.output)
