# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The inventory plugins, through ansible-inventory and over real HTTP. No test's output may hold the token."""

from __future__ import annotations

import json
import os
import pathlib
import sys
from dataclasses import dataclass
from textwrap import indent
from typing import Any

import demo
import programs
import pytest
import yaml
from ansible.parsing.vault import VaultLib, VaultSecret

from ansible_collections.zonesmith import dns

BIN = pathlib.Path(sys.executable).parent
COLLECTIONS = pathlib.Path(next(iter(dns.__path__))).parents[2]
NO_SERVICE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Listing:
    """What ``ansible-inventory --list`` gave."""

    exit_code: int
    output: dict[str, Any]
    complaints: str

    @property
    def hosts(self):
        """The variables of each host."""
        return self.output["_meta"]["hostvars"]

    def complains(self, text):
        """Whether a warning says this; ansible-core 2.18 breaks its lines anywhere."""
        return "".join(text.split()) in "".join(self.complaints.split())


class Inventory:
    """An inventory file in a folder of its own, with the address and the token of the service written in it."""

    def __init__(self, service, home, token, ansible):
        self.file = home / "test.zonesmith.yml"
        self.options: dict[str, Any] = {
            "base_url": service.url,
            "access_token": token,
            "retries": 0,
        }
        self._home = home
        self._ansible = ansible
        self._token = token

    def write(self, plugin, options):
        """Write the file; an option that is None is left out."""
        values = {"plugin": f"zonesmith.dns.{plugin}", **self.options, **options}
        lines = yaml.safe_dump(
            {name: value for name, value in values.items() if value is not None}, sort_keys=False
        )
        self.file.write_text(lines, "utf-8")

    def run(self, program, *arguments, **variables):
        """Run one of Ansible's programs with the file, in an environment that holds *variables* too."""
        environment = {
            **demo.settings(self._ansible),
            "ANSIBLE_COLLECTIONS_PATH": str(COLLECTIONS),
            "ANSIBLE_HOME": str(self._ansible),
            # On Python 3.10 there is none that is supported: `nox -s units_lowest`.
            "ANSIBLE_COLLECTIONS_ON_ANSIBLE_VERSION_MISMATCH": "ignore",
            "LC_ALL": "C.UTF-8",
            **variables,
        }
        done = programs.run(
            program,
            *arguments,
            "--inventory",
            str(self.file),
            folder=self._home,
            environment=environment,
        )
        assert self._token not in done.stdout + done.stderr
        return done

    def list(self, *arguments, **variables):
        """What ``ansible-inventory --list`` gives."""
        done = self.run("ansible-inventory", "--list", *arguments, **variables)
        _said, start, rest = done.stdout.partition("{\n")
        # Since 2.19, ansible-inventory says of each text from a service that it is no template.
        output = json.loads(
            f"{start}{rest}" or "{}", object_hook=lambda item: item.get("__ansible_unsafe", item)
        )
        return Listing(done.returncode, output, done.stderr)

    def evaluated(self, host, variable):
        """What a task sees as a variable of a host."""
        done = self.run("ansible", host, "--module-name", "debug", "--args", f"var={variable}")
        return json.loads(done.stdout.partition("=>")[2])[variable]


@pytest.fixture(scope="module")
def ansible(tmp_path_factory):
    """Ansible's own folder, the same for all, so that one start does for all."""
    return tmp_path_factory.mktemp("ansible")


@pytest.fixture
def inventory(service, home, ansible):
    """An inventory file for the service."""
    return Inventory(service, home, service.token, ansible)


def listing_of(plugin, inventory):
    """Gives the inventory that a plugin makes with options."""

    def listing(*arguments, **options):
        inventory.write(plugin, options)
        return inventory.list(*arguments)

    return listing


@pytest.fixture
def zones(inventory):
    """The inventory of zones."""
    return listing_of("zones", inventory)


@pytest.fixture
def records(inventory):
    """The inventory of address records."""
    return listing_of("records", inventory)


def hold(service, zone, text):
    """Make a zone hold lines of ``<relative name> <type> <value> <value> ...``."""
    lines = [line.split() for line in text.strip().splitlines()]
    service.zone(zone, [(name, rdtype, 300, values) for name, rdtype, *values in lines])


# Zones as hosts.


def test_each_zone_is_a_host(service, zones):
    service.zone("Example.NET", slug="other-slug", status=False)
    listing = zones()
    assert [*listing.hosts] == ["example.com", "example.net"]
    assert listing.hosts["example.net"] == {
        "zonesmith_zone": "example.net",
        "zonesmith_slug": "other-slug",
        "zonesmith_status": False,
        "ansible_connection": "local",
        "ansible_python_interpreter": "{{ ansible_playbook_python }}",
    }
    assert service.calls() == ["GET /dns/domains"]
    assert not listing.complaints


def test_tasks_for_a_zone_run_with_the_python_of_the_playbook(inventory):
    inventory.write("zones", {})
    python = pathlib.Path(inventory.evaluated("example.com", "ansible_python_interpreter"))
    assert python.parent == BIN  # where it has several names


def test_with_strict_an_undefined_variable_is_an_error(inventory, zones):
    listing = zones(strict=True, keyed_groups=[{"key": "not_there.at_all"}])
    assert listing.complains(f"{inventory.file}: Could not ")
    assert listing.complains("example.com")
    assert listing.complains("'not_there' is undefined")


# Connection.


def test_address_and_token_can_be_templates(service, inventory):
    templates = {
        "base_url": "{{ where }}/",
        "access_token": "{{ lookup('ansible.builtin.env', 'MY_TOKEN') }}",
    }
    inventory.write("zones", templates)
    listing = inventory.list("--extra-vars", f"where={service.url}", MY_TOKEN=service.token)
    assert list(listing.hosts) == ["example.com"]
    listing = inventory.list("--extra-vars", f"where={service.url}")
    assert listing.complains(f"{inventory.file}: access_token is empty")
    listing = inventory.list(MY_TOKEN=service.token)
    assert listing.complains(f"{inventory.file}: the template of base_url cannot be evaluated")


def test_the_token_can_be_encrypted(service, inventory, home):
    password = home / "password"
    password.write_text("of the vault", "utf-8")
    secret = VaultSecret(password.read_bytes())
    encrypted = VaultLib([("default", secret)]).encrypt(service.token).decode()
    inventory.write("zones", {"access_token": None})
    with inventory.file.open("a", encoding="utf-8") as file:
        file.write(f"access_token: !vault |\n{indent(encrypted, '  ')}")
    assert list(inventory.list("--vault-password-file", str(password)).hosts) == ["example.com"]


def test_a_token_from_the_environment_is_no_template(service, inventory):
    service.settings(token="{{6*7}}")
    inventory.write("zones", {"access_token": None})
    assert list(inventory.list(ZONESMITH_ACCESS_TOKEN="{{6*7}}").hosts) == ["example.com"]


def test_a_zone_that_the_account_does_not_have_is_a_warning(service, records):
    hold(service, "example.com", "www A 192.0.2.1")
    listing = records(zones=["EXAMPLE.com.", "example.con", "*.org", "[x]"])
    assert list(listing.hosts) == ["www.example.com"]
    assert listing.complains("zones names 'example.con', but the account has no zone of that name.")
    assert listing.complaints.count("zones names") == 1


# Errors.


@pytest.mark.parametrize(
    "plugin, options, message",
    [
        ("zones", {"base_url": NO_SERVICE}, "cannot connect to 127.0.0.1:9"),
        ("zones", {"base_url": None}, "base_url"),
        ("zones", {"base_url": "http://dns.example.com"}, "base_url is plain http"),
        ("zones", {"access_token": None}, "access_token"),
        ("records", {"zoness": ["a"]}, "records has no option zoness (did you mean zones?)"),
        ("zones", {"cache": True, "cache_plugin": "no.such.cache"}, "no.such.cache"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_an_error_names_the_file_and_not_the_token(plugin, options, message, inventory):
    inventory.write(plugin, options)
    listing = inventory.list(ANSIBLE_INVENTORY_ANY_UNPARSED_IS_FAILED="true")
    assert listing.complains(f"{inventory.file}: ")
    assert listing.complains(message)
    assert listing.exit_code


@pytest.mark.parametrize(
    "module, library",
    [
        ("requests.py", "requests >= 2.28.1"),
        ("dns.py", "dnspython >= 2.6.1"),
    ],
)
def test_a_missing_library_is_named(inventory, home, module, library):
    libraries = home / "libraries"
    libraries.mkdir()
    (libraries / module).write_text("raise ImportError", "utf-8")
    inventory.write("zones", {})
    path = os.pathsep.join(filter(None, [str(libraries), os.environ.get("PYTHONPATH")]))
    listed = inventory.list(PYTHONPATH=path)
    assert listed.complains(f"the Python library {library} is missing on the controller")


def test_only_files_with_the_right_name_are_read(service, inventory):
    inventory.file = inventory.file.with_name("hosts.yml")
    inventory.write("zones", {})
    assert inventory.list().hosts == {}
    assert service.calls() == []


# Cache.


@pytest.fixture
def cached(home):
    """The options that keep a cache in files."""
    return {
        "cache": True,
        "cache_plugin": "ansible.builtin.jsonfile",
        "cache_connection": str(home / "cache"),
    }


@pytest.mark.parametrize("plugin", ["zones", "records"])
def test_a_cache_saves_the_requests(plugin, cached, service, inventory, home):
    hold(service, "example.com", "www A 192.0.2.1")
    inventory.write(plugin, cached)
    first = inventory.list()
    asked = service.calls()
    assert first.hosts
    assert asked[0] == "GET /dns/domains"
    assert inventory.list() == first
    assert service.calls() == asked
    playbook = home / "playbook.yml"
    playbook.write_text("[{hosts: all, gather_facts: false}]", "utf-8")
    done = inventory.run("ansible-playbook", str(playbook), "--list-hosts", "--flush-cache")
    assert all(host in done.stdout for host in first.hosts)
    assert service.calls() == asked * 2
    assert all(service.token not in file.read_text("utf-8") for file in (home / "cache").iterdir())


def test_a_cache_is_for_one_service_and_one_choice_of_zones(cached, service, records):
    hold(service, "example.com", "www A 192.0.2.1")
    hold(service, "example.net", "www A 192.0.2.2")
    assert list(records(**cached, zones=["*.com"]).hosts) == ["www.example.com"]
    assert list(records(**cached, zones=["*.net"]).hosts) == ["www.example.net"]
    assert records(**cached, zones=["*.net"], base_url=NO_SERVICE).hosts == {}
    service.clear_log()
    assert records(**cached, zones=["*.net"], types=["AAAA"]).hosts == {}
    assert service.calls() == []


# Address records as hosts.


def test_each_owner_of_an_address_is_a_host(service, records):
    hold(
        service,
        "example.com",
        """
        @    A     192.0.2.9
        both A     192.0.2.1 192.0.2.2
        both AAAA  2001:db8::1
        six  AAAA  2001:db8::6
        *    A     192.0.2.3
        *.in A     192.0.2.3
        _dmz A     192.0.2.3
        a_b  A     192.0.2.3
        text TXT   hello
        """,
    )
    listing = records()
    assert listing.hosts["both.example.com"] == {
        "ansible_host": "192.0.2.1",
        "zonesmith_zone": "example.com",
        "zonesmith_name": "both",
        "zonesmith_records": [
            {"type": "A", "ttl": 300, "contents": ["192.0.2.1", "192.0.2.2"]},
            {"type": "AAAA", "ttl": 300, "contents": ["2001:db8::1"]},
        ],
    }
    assert listing.hosts["example.com"]["zonesmith_name"] == "@"
    assert listing.hosts["six.example.com"]["ansible_host"] == "2001:db8::6"
    assert sorted(listing.hosts) == ["both.example.com", "example.com", "six.example.com"]
    assert service.calls() == ["GET /dns/domains", "GET /dns/domains/examplecom"]


def test_a_cname_leads_to_its_target(service, records):
    hold(
        service,
        "example.com",
        """
        web   A     192.0.2.1
        www   CNAME WEB.example.com.
        blog  CNAME www.example.com.
        shop  CNAME shops.example.net.
        away  CNAME elsewhere.example.org.
        loop1 CNAME loop2.example.com.
        loop2 CNAME loop1.example.com.
        """,
    )
    hold(service, "example.net", "shops AAAA 2001:db8::5")
    hosts = records().hosts
    assert {
        name.partition(".")[0]: variables["ansible_host"] for name, variables in hosts.items()
    } == {
        "web": "192.0.2.1",
        "www": "web.example.com",
        "blog": "www.example.com",
        "shop": "shops.example.net",
        "shops": "2001:db8::5",
        "away": "elsewhere.example.org",
        "loop1": "loop2.example.com",
        "loop2": "loop1.example.com",
    }


def test_a_name_belongs_to_the_deepest_zone_that_holds_it(service, records):
    hold(service, "example.com", "ns.a A 192.0.2.1\nns.a AAAA 2001:db8::1\nold.a A 192.0.2.3")
    hold(service, "a.example.com", "ns A 192.0.2.2")
    hosts = records().hosts
    assert hosts["ns.a.example.com"]["ansible_host"] == "192.0.2.2"
    assert hosts["ns.a.example.com"]["zonesmith_name"] == "ns"
    assert hosts["ns.a.example.com"]["zonesmith_zone"] == "a.example.com"
    assert [records["type"] for records in hosts["ns.a.example.com"]["zonesmith_records"]] == ["A"]
    assert hosts["old.a.example.com"]["zonesmith_zone"] == "example.com"


@pytest.mark.parametrize(
    "options, addresses",
    [
        (
            {"names": ["web*.example.com", "DB.*"]},
            {"web1": "192.0.2.1", "web2": "198.51.100.2", "db": "2001:db8::3"},
        ),
        (
            {"values": ["2001:db8::*", "web?.example.com."]},
            {"web1": "2001:db8::1", "db": "2001:db8::3", "www": "web1.example.com"},
        ),
        ({"values": ["198.*"], "names": ["*2.*"], "types": ["A"]}, {"web2": "198.51.100.2"}),
        ({"zones": ["*.net"]}, {"far": "192.0.2.200"}),
    ],
)
def test_records_are_filtered(options, addresses, service, records):
    hold(
        service,
        "example.com",
        """
        web1 A     192.0.2.1 198.51.100.1
        web1 AAAA  2001:db8::1
        web2 A     198.51.100.2
        db   AAAA  2001:db8::3
        www  CNAME web1.example.com.
        """,
    )
    hold(service, "example.net", "far A 192.0.2.200")
    hosts = records(**options).hosts
    assert {
        name.partition(".")[0]: variables["ansible_host"] for name, variables in hosts.items()
    } == addresses
    if "zones" in options:
        assert service.calls() == ["GET /dns/domains", "GET /dns/domains/examplenet"]


@pytest.mark.parametrize(
    "given, used",
    [("../ca.pem", "{home}/ca.pem"), ("/no/ca", "/no/ca")],
)
def test_a_relative_ca_path_is_beside_the_file(inventory, home, given, used):
    """Wherever Ansible is started."""
    inventory.file = home / "beside" / "test.zonesmith.yml"
    inventory.file.parent.mkdir()
    inventory.write("zones", {"base_url": "https://127.0.0.1:9", "ca_path": given})
    assert inventory.list().complains(used.format(home=home))
