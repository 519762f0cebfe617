# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records from elsewhere, as docs/guides/sources.md has them: each zone follows its source, and stays when that is gone."""

import json

import pytest
import yaml
from documents import REPOSITORY, blocks
from reader import EXAMPLES, Folder

EXAMPLE = EXAMPLES / "sources"
GUIDE = REPOSITORY / "docs" / "guides" / "sources.md"

INVENTORY = "inventory.yml --inventory hosts.yml --diff"
NETBOX = "netbox.yml --extra-vars @answer.yml --diff"
NETBOX_CHECK = "netbox.yml --extra-vars @answer.yml --check --diff"
TEMPLATE = "template.yml --diff"
COMMANDS = [INVENTORY, NETBOX, NETBOX_CHECK, TEMPLATE]

HOSTS = "hosts.example.com"
IPV4 = "2.0.192.in-addr.arpa"
IPV6 = "8.b.d.0.1.0.0.2.ip6.arpa"
ZONES = [HOSTS, IPV4, IPV6, "example.com", "example.net"]
OF_INVENTORY = """\
printer.hosts.example.com. A 192.0.2.20
web1.hosts.example.com. A 192.0.2.11
web1.hosts.example.com. AAAA 2001:db8::11
web2.hosts.example.com. A 192.0.2.12
web2.hosts.example.com. AAAA 2001:db8::12
11.2.0.192.in-addr.arpa. PTR web1.hosts.example.com.
12.2.0.192.in-addr.arpa. PTR web2.hosts.example.com.
20.2.0.192.in-addr.arpa. PTR printer.hosts.example.com.
1.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. PTR web1.hosts.example.com.
2.1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. PTR web2.hosts.example.com.
"""
OF_NETBOX = """\
db1.lab.example.com. A 192.0.2.31
db1.lab.example.com. AAAA 2001:db8::31
db2.lab.example.com. A 192.0.2.32
www.example.com. A 192.0.2.1
"""
OF_TEMPLATE = """\
bakery.example.net. CNAME shops1.example.org.
example.net. MX 10 mail.example.org.
example.net. TXT "v=spf1 mx -all"
florist.example.net. CNAME shops1.example.org.
tailor.example.net. CNAME shops2.example.org.
"""
# By hand: outside what the play of NetBox manages, and what each play prunes.
WWW = ("www", "A", 3600, ["192.0.2.1"])
OLD = ("old", "A", 3600, ["192.0.2.99"])
OLD_IN_LAB = ("old.lab", "A", 3600, ["192.0.2.99"])

LOOKUP = """\
import pathlib

import yaml
from ansible.errors import AnsibleError
from ansible.plugins.lookup import LookupBase

FOLDER = pathlib.Path({folder!r})


class LookupModule(LookupBase):
    def run(self, terms, variables=None, **options):
        with open(FOLDER / "asked", "a") as asked:
            print(*terms, options["api_filter"], options["raw_data"], file=asked)
        if not (FOLDER / "answer.yml").exists():
            raise AnsibleError("NetBox is down")
        return yaml.safe_load((FOLDER / "answer.yml").read_text())["addresses"]
"""


class Example(Folder):
    """A copy of the example's files, and the service with its zones."""

    def __init__(self, path, service):
        super().__init__(path, "sources", service)
        for zone in ZONES:
            service.zone(zone)

    def refused(self, command, error):
        """Run a play that fails with this error, and changes nothing."""
        before = self.shown()
        assert error in self.play(command, status=2)
        assert self.shown() == before

    def shown(self):
        """The values in all zones, a line each, without SOA and NS."""
        lines = []
        for zone in ZONES:
            rows = [row for row in self.service.records(zone) if row["type"] not in {"SOA", "NS"}]
            for row in sorted(rows, key=lambda row: (row["name"], row["type"])):
                (value,) = row["contents"]
                lines.append(f"{row['name']} {row['type']} {value}\n")
        return "".join(lines)

    def source(self, file, content):
        """Write a source of one's own."""
        self.write(file, json.dumps(content))


@pytest.fixture
def example(tmp_path, service):
    """The files and the zones, as new."""
    return Example(tmp_path, service)


def test_the_guide_shows_the_files_and_the_commands():
    tasks = []
    for playbook in ("inventory.yml", "netbox.yml", "template.yml"):
        (play,) = yaml.safe_load((EXAMPLE / playbook).read_text("utf-8"))
        tasks += play["tasks"]
    templates = "".join(template.read_text("utf-8") for template in EXAMPLE.glob("*.j2"))
    commands = []
    for block in blocks(GUIDE):
        if block.language == "yaml":
            assert all(task in tasks for task in block.value), block.place
        elif block.language == "text":
            assert block.text in templates, block.place
        else:
            commands += block.text.splitlines()
    assert commands[2:] == [f"ansible-playbook {command}" for command in COMMANDS]


@pytest.mark.parametrize(
    "command, zone, before, expected, habits",
    [
        (INVENTORY, HOSTS, [OLD], OF_INVENTORY, {"write_status": 204, "ttl_min": 86400}),
        (NETBOX, "example.com", [WWW, OLD_IN_LAB], OF_NETBOX, {"busy_after_write": 0.05}),
        (TEMPLATE, "example.net", [OLD], OF_TEMPLATE, {"parses": True}),
    ],
    ids=["inventory", "netbox", "template"],
)
def test_the_zone_follows_its_source_at_services_with_habits(
    example, command, zone, before, expected, habits
):
    example.service.zone(zone, before)
    example.service.habits(zone, **habits)
    example.play(command)
    assert example.shown() == expected
    assert "changed=0 " in example.play(command)


def test_an_inventory_that_is_empty_or_short_removes_nothing(example):
    hosts = {f"web{n}": {"ipv4": f"192.0.2.{n}", "ipv6": f"2001:db8::{n}"} for n in range(10, 22)}
    example.source("hosts.yml", {"servers": {"hosts": hosts}})
    example.play(INVENTORY)
    few = [*hosts.items()][:9]
    example.source("hosts.yml", {"servers": {"hosts": dict(few)}})
    example.refused(INVENTORY, "prune would remove 3 of the zone's 12 sets")
    example.source("hosts.yml", {"others": {"hosts": hosts}})
    example.refused(INVENTORY, "has 0 servers, fewer than 3")
    example.refused(f"{INVENTORY} --extra-vars at_least=0", "prune would remove all 24 sets")


def test_an_answer_of_netbox_that_is_empty_or_short_removes_nothing(example):
    example.play(NETBOX)
    example.play(NETBOX_CHECK)
    example.edit("answer.yml", "db2.lab", "db3.lab")
    example.refused(NETBOX_CHECK, "delete db2.lab.example.com. A")
    example.source("answer.yml", {"addresses": []})
    example.refused(NETBOX, "NetBox returned 0 addresses, fewer than 3")
    example.refused(f"{NETBOX} --extra-vars at_least=0", "prune would remove all 3 sets")


def test_netbox_is_asked_once_and_nothing_is_written_while_it_is_down(example):
    """With a lookup in place of the one in netbox.netbox, which needs a NetBox."""
    plugins = "collections/ansible_collections/netbox/netbox/plugins/lookup"
    (example.path / plugins).mkdir(parents=True)
    example.write(f"{plugins}/nb_lookup.py", LOOKUP.format(folder=str(example.path)))
    example.service.zone("example.com", [WWW])
    example.play("netbox.yml")
    assert example.shown() == OF_NETBOX
    assert (
        example.read("asked") == "ip-addresses status=active dns_name__iew=.lab.example.com True\n"
    )
    (example.path / "answer.yml").unlink()
    example.refused("netbox.yml", "NetBox is down")


def test_a_list_that_is_empty_or_a_template_that_is_short_removes_nothing(example):
    shops = [{"name": f"shop{n}", "host": "shops1.example.org"} for n in range(12)]
    example.source("shops.yml", {"shops": shops})
    example.play(TEMPLATE)
    example.source("shops.yml", {"shops": []})
    example.refused(TEMPLATE, "shops.yml has 0 shops, fewer than 3")
    example.source("shops.yml", {"shops": [{**shops[0], "host": None}, *shops[1:]]})
    example.refused(TEMPLATE, "its host is a dot alone, the root")
    moved = [{**shop, "host": "shops2.example.org"} for shop in shops]
    example.source("shops.yml", {"shops": moved})
    example.refused(TEMPLATE, "more than change_limit (20 percent) allows")
    example.source("shops.yml", {"shops": shops})
    example.edit("shops.zone.j2", "@  IN  MX   10 mail.example.org.\n", "")
    example.refused(TEMPLATE, "protect matches it")
