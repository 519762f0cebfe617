# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Attacks by whoever can write a record in a zone, add a zone, or answer as the service, on who uses an inventory."""

import base64
import json
from urllib.parse import quote

import pytest
from listing import Controller, HostileService, says

TOKEN = "token-that-nobody-may-see"
NO_SSH = {"ANSIBLE_SSH_EXECUTABLE": "/bin/false"}


@pytest.fixture
def hostile():
    """A service that answers what the test likes."""
    with HostileService() as service:
        yield service


@pytest.fixture
def controller(tmp_path, hostile, monkeypatch):
    """Where Ansible runs."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return Controller(tmp_path, hostile, TOKEN)


# Code in what the service says.


def templates(mark):
    """Texts that make a file where they are evaluated, each its own, in the ways that a text can hide a template."""

    def template(name, start="{{", end="}}"):
        return f"{start} lookup('pipe', 'touch {mark}-{name}') {end}"

    def headed(name):
        head = "#jinja2: variable_start_string:'[%', variable_end_string:'%]'"
        return f"{head}\n{template(name, '[%', '%]')}"

    return [
        template("plain"),
        "{% if " + template("block", "", "") + " %}{% endif %}",
        headed("headed"),
        quote(template("percent")),
        base64.b64encode(headed("base64-headed").encode()).decode(),
        template("replaced", "<<", ">>"),
    ]


FORMS = {
    "as_it_is": "{}",
    "decoded": "{} | urldecode",
    "from_base64": "{} | b64decode",
    "replaced": "{} | replace('<<', '{{{{') | replace('>>', '}}}}')",
}


def test_nothing_that_the_service_says_is_evaluated(controller, hostile, tmp_path):
    for number, text in enumerate(templates(tmp_path / "touched")):
        hostile.holds(f"zone{number}.example", slug=text, status=True)
        hostile.holds(f"key{number}.example", status={text: "key", "list": [text, {"deep": text}]})
        hostile.holds(f"status{number}.example", status=text)
        name = f"host{number}.example"
        records = [(name, "A", "192.0.2.1"), (name, "AAAA", text), (f"www.{name}", "CNAME", text)]
        hostile.holds(name, *records, (f"bad.{name}", "A", text))
    used = ["zonesmith_slug", "zonesmith_status", "zonesmith_records", "ansible_host"]
    for file, plugin, source in (
        ("z", "zones", "zonesmith_slug"),
        ("r", "records", "zonesmith_records[1].contents[0]"),
    ):
        # Variables of the text, as it is and after each filter that undoes a disguise.
        composed = {f"{file}_{form}": filters.format(source) for form, filters in FORMS.items()}
        controller.inventory(
            f"{file}.zonesmith.yml",
            plugin,
            compose=composed,
            keyed_groups=[{"key": name} for name in (*composed, *used)],
            groups={f"is_{name}": f"{name} is truthy" for name in composed},
        )
        used += composed
    texts = ", ".join(f"{name} | default('')" for name in used)
    show = [{"ansible.builtin.debug": {"var": name}} for name in used[:3]]
    show.append({"ansible.builtin.debug": {"msg": f"{{{{ [{texts}] }}}}"}})
    play = {"hosts": "all", "gather_facts": False, "tasks": show}
    output = controller.play([play], "z.zonesmith.yml", "r.zonesmith.yml", ANSIBLE_FORKS="2")
    assert [file.name for file in tmp_path.glob("touched*")] == []
    assert "failed=0" in output
    assert "Failed to parse" not in output


def test_a_status_is_a_flag_or_is_left_out(controller, hostile):
    for number, status in enumerate([True, False, "true", 1]):
        hostile.holds(f"zone{number}.example", status=status)
    controller.inventory("z.zonesmith.yml", "zones", groups={"inactive": "not zonesmith_status"})
    hosts, output = controller.hosts("z.zonesmith.yml")
    flags = {
        name: variables["zonesmith_status"]
        for name, variables in hosts.items()
        if "zonesmith_status" in variables
    }
    assert flags == {"zone0.example": True, "zone1.example": False}
    assert len(hosts) == 4, output


# Where to connect to.

ADDRESSES = [
    ("A", "192.0.2.1", "192.0.2.1"),
    ("AAAA", "2001:DB8:0::1", "2001:db8::1"),
    ("CNAME", "Web.example.org.", "web.example.org"),
    *(
        (rdtype, value, None)
        for rdtype in ("A", "AAAA", "CNAME")
        for value in (
            "-oProxyCommand=touch${IFS}MARK",
            "-oProxyCommand=touch${IFS}MARK.example.org",
            "-v",
            "root@evil.example",
            "../../MARK",
            "192.0.2.1\n-oProxyCommand=touch${IFS}MARK",
            "127.0.0.1",
        )
    ),
    ("A", "192.0.2.01", None),
    ("A", "0.0.0.0", None),  # noqa: S104 - not to bind to
    ("A", "3221225985", None),
    ("AAAA", "2001:db8::1%-v", None),
    ("AAAA", "::1", None),
    ("AAAA", "::ffff:127.0.0.1", None),
    ("AAAA", "64:ff9b::7f00:1", None),
    ("AAAA", "fe80::1", None),
    ("A", "169.254.169.254", None),
    ("A", "224.0.0.1", None),
    ("CNAME", "localhost.", None),
    ("CNAME", "a.-b.example.org.", None),
    ("CNAME", "0x7f.1", None),
]
NO_OWNERS = ["-oProxyCommand=touch MARK", "root@evil", "web,localhost", "web[1:3]", "*"]


def test_only_an_address_is_connected_to(controller, hostile, tmp_path):
    mark = str(tmp_path / "touched")
    rows = [
        (f"host{number}.example.com", rdtype, value.replace("MARK", mark))
        for number, (rdtype, value, _address) in enumerate(ADDRESSES)
    ]
    rows += [
        (f"{owner.replace('MARK', mark)}.example.com", "A", "192.0.2.9") for owner in NO_OWNERS
    ]
    hostile.holds("example.com", *rows)
    for zone in ("localhost", "127.0.0.1", "10.1", "all", "-v.example", "sub.localhost"):
        hostile.holds(zone, (zone, "A", "192.0.2.66"), slug=f"zone {zone}")
    controller.inventory("r.zonesmith.yml", "records")
    hosts, output = controller.hosts("r.zonesmith.yml")
    assert {name: variables["ansible_host"] for name, variables in hosts.items()} == {
        f"host{number}.example.com": address
        for number, (_type, _value, address) in enumerate(ADDRESSES)
        if address
    }
    assert says(output, "host3.example.com")
    limit = "all:!host0*:!host1.*:!host2.*"
    arguments = ("--module-name=raw", "--args=true", "--forks=20")
    output = controller.run("ansible", limit, *arguments, sources=("r.zonesmith.yml",))
    assert "TASK" not in output
    assert list(tmp_path.glob("touched*")) == []


# Whose name it is.


def touch(hosts, folder, **task):
    """A play that makes a file of the host's name where its commands run."""
    raw = {
        "ansible.builtin.raw": f"touch {folder}/{{{{ inventory_hostname }}}}",
        "ignore_unreachable": True,
        **task,
    }
    return {"hosts": hosts, "gather_facts": False, "tasks": [raw]}


BEFORE = "[web]\nweb1.corp\n[real]\ndb1.corp\n[ungrouped]\nalone.corp\n"
LATER = """
all:
  hosts:
    plain.corp:
  children:
    late:
      hosts:
        db2.corp:
        db3.corp: {owner: me}
"""
SOURCES = {
    "a.ini": BEFORE,
    "n.ini": "odd.corp\n[more]\ndb4.corp\n",
    "o.yml": LATER,
    "p.yml": "plugin: ansible.builtin.constructed\ncompose: {seen: 'true'}\ngroups: {mine: zonesmith_zone is defined}\n"
    "keyed_groups: [{key: zonesmith_slug, prefix: slug}]\n",
}
MACHINES = ["alone", "db1", "db2", "db3", "db4", "odd", "plain", "web1"]


def test_a_zone_takes_the_place_of_no_machine(controller, hostile, tmp_path):
    real = [f"{name}.corp" for name in MACHINES]
    for zone in (
        *real,
        "web",
        "late",
        "all",
        "ungrouped",
        "localhost",
        "127.0.0.1",
        "LOCALHOST.",
        "zone.example",
    ):
        hostile.holds(zone, slug=f"slug{zone}")
    for file, text in SOURCES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    ran, delegated = tmp_path / "ran", tmp_path / "delegated"
    ran.mkdir()
    delegated.mkdir()
    keyed = [{"key": "zonesmith_zone", "prefix": "zone"}]
    controller.inventory(
        "b.zonesmith.yml", "zones", keyed_groups=keyed, compose={"ansible_become": "false"}
    )
    sources = ["a.ini", "b.zonesmith.yml", "n.ini", "o.yml", "p.yml"]
    plays = [
        touch("all", ran),
        touch("web:late:real:more", ran),
        touch("zone.example", delegated, delegate_to="localhost"),
    ]
    output = controller.play(plays, *sources, **NO_SSH)
    assert [file.name for file in ran.iterdir()] == ["zone.example"], output
    assert [file.name for file in delegated.iterdir()] == ["zone.example"], output
    hosts, output = controller.hosts(*sources)
    assert sorted(hosts) == sorted([*real, "zone.example"])
    assert {name: variables for name, variables in hosts.items() if set(variables) - {"seen"}} == {
        "db3.corp": {"owner": "me", "seen": True},
        "zone.example": hosts["zone.example"],
    }
    assert hosts["zone.example"]["ansible_connection"] == "local"
    for name in real:
        assert says(output, f"{name} of "), name
    for name in ("web", "late", "all", "localhost", "127.0.0.1"):
        assert says(output, f"The zone {name} is not a host: "), name


def test_the_address_of_a_machine_is_its_own(controller, hostile, tmp_path):
    hostile.holds(
        "corp",
        ("db1.corp", "A", "192.0.2.66"),
        ("db2.corp", "A", "192.0.2.66"),
        ("new.corp", "A", "192.0.2.7"),
    )
    (tmp_path / "a.ini").write_text("db1.corp\n", encoding="utf-8")
    (tmp_path / "z.ini").write_text("[late]\ndb2.corp\n", encoding="utf-8")
    controller.inventory("r.zonesmith.yml", "records")
    hosts, _said = controller.hosts("a.ini", "r.zonesmith.yml", "z.ini")
    assert {
        name: variables["ansible_host"]
        for name, variables in hosts.items()
        if "ansible_host" in variables
    } == {"new.corp": "192.0.2.7"}


def test_no_name_of_a_group_ends_the_inventory(controller, hostile):
    slugs = ["all", "parents", "True", "{'a': 1}", "a" * 300, "web server"]
    for number, slug in enumerate(slugs):
        hostile.holds(f"zone{number}.example", slug=slug)
    keyed = {"key": "zonesmith_slug", "prefix": "", "separator": ""}
    keyed_groups = [
        {**keyed, "parent_group": "parents"},
        keyed,
        {"key": "zonesmith_slug"},
    ]
    controller.inventory("z.zonesmith.yml", "zones", keyed_groups=keyed_groups)
    hosts, output = controller.hosts("z.zonesmith.yml")
    assert len(hosts) == len(slugs), output
    assert "Failed to parse" not in output


# What others put into the cache.


def test_what_others_put_into_the_cache_is_not_used(controller, hostile, tmp_path):
    slug = f"{{{{ lookup('pipe', 'touch {tmp_path}/touched') }}}}"
    trusted = {
        "__ansible_type": "_AnsibleTaggedStr",
        "value": slug,
        "tags": [{"__ansible_type": "TrustedAsTemplate"}],
    }
    zone = {"name": "evil.example", "slug": "evil", "status": True, "records": []}
    contents = [
        [{**zone, "slug": trusted}],
        [{**zone, "slug": slug}],
        {"__ansible_vault": "x"},
        "[" * 100_000,
        "no JSON",
        json.dumps([{**zone, "name": 1}]),
    ]
    hostile.holds("zone.example")
    sources = [f"{number}.zonesmith.yml" for number in range(len(contents))]
    for number, source in enumerate(sources):
        cache = {
            "cache": True,
            "cache_plugin": "ansible.builtin.jsonfile",
            "cache_connection": str(tmp_path / f"c{number}"),
        }
        controller.inventory(source, "zones", **cache)
    controller.hosts(*sources)
    for number, content in enumerate(contents):
        (file,) = (tmp_path / f"c{number}").iterdir()
        kept = json.loads(file.read_text("utf-8"))
        # Since 2.19 there is more in the file than what was put there.
        evil = {**kept, "__payload__": json.dumps(content)} if "__payload__" in kept else content
        file.write_text(json.dumps(evil), encoding="utf-8")
    show = {"ansible.builtin.debug": {"msg": "{{ inventory_hostname }} {{ zonesmith_slug }}"}}
    output = controller.play([{"hosts": "all", "gather_facts": False, "tasks": [show]}], *sources)
    assert list(tmp_path.glob("touched*")) == []
    assert "zone.example zoneexample" in output
    assert "evil" not in output


# The token in errors.

TOKENS = {
    "list": [TOKEN],
    "key": {TOKEN: TOKEN},
    "undefined": f"{{{{ {TOKEN.replace('-', '_')} }}}}",
    "filter": f"{{{{ '{TOKEN}' | no_such_filter }}}}",
    "failing": f"{{{{ '{TOKEN}' | from_json }}}}",
    "broken": f"{{{{ '{TOKEN}'",
    "makes_dict": f"{{{{ {{'a': '{TOKEN}'}} }}}}",
    "spaced": f"{TOKEN} {TOKEN}",
}


def test_no_error_shows_the_token(controller, tmp_path):
    for name, value in TOKENS.items():
        controller.inventory(f"{name}.zonesmith.yml", "zones", access_token=value)
    for name, text in (("vault", f"!vault |\n  {TOKEN}"), ("date", "2026-11-21")):
        controller.inventory(f"{name}.zonesmith.yml", "zones", access_token=None)
        with (tmp_path / f"{name}.zonesmith.yml").open("a", encoding="utf-8") as inventory:
            inventory.write(f"access_token: {text}\n")
    options = ("base_url", "timeout", "include", "cache_connection")
    for option in options:
        misplaced = {option: {"access_token": TOKEN}}
        controller.inventory(f"in_{option}.zonesmith.yml", "zones", **misplaced)
    sources = [file.name for file in tmp_path.glob("*.zonesmith.yml")]
    output = controller.run("ansible-inventory", "--list", "-vvvv", sources=sources)
    for secret in (TOKEN, TOKEN.replace("-", "_"), "2026-11-21"):
        assert not says(output, secret)
    for name in (*TOKENS, "date"):
        place = f"{tmp_path}/{name}.zonesmith.yml: "
        assert says(output, f"{place}access_token") or says(
            output, f"{place}the template of access_token"
        ), name
    for option in options:
        assert says(output, f"in_{option}.zonesmith.yml: {option} has a value of the wrong type")
