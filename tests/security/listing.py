# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A service that lists and shows whatever an attacker likes, and Ansible's programs with inventories of it."""

import json
from urllib.parse import unquote

import programs
import yaml
from playing import clean_environment
from raw import RawServer, as_json

TIME_LIMIT = 300


class HostileService(RawServer):
    """Answers with *zones*, each a mapping with ``name``, ``slug`` and ``status``, and ``records`` behind its slug."""

    def __init__(self):
        self.zones = []
        super().__init__(self._listed)

    def _listed(self, request):
        slug = unquote(request.path.partition("/dns/domains")[2].lstrip("/"))
        held = [zone.get("records", []) for zone in self.zones if zone["slug"] == slug]
        return as_json({"status": "Success", "data": {"records": held[0]} if held else self.zones})

    def holds(self, zone, *records, slug=None, status=True):
        """List a zone; a record is an absolute owner name without dot, a type, and a value."""
        item = {
            "name": zone,
            "slug": zone.replace(".", "") if slug is None else slug,
            "status": status,
        }
        soa = ("SOA", "ns.example.com. a.example.com. 1 2 3 4 5")
        rows = [(zone, *soa), *records]
        item["records"] = [
            {"name": f"{name}.", "type": rdtype, "ttl": 300, "contents": [value]}
            for name, rdtype, value in rows
        ]
        self.zones.append(item)


class Controller:
    """A folder with inventories and playbooks, and the environment in which Ansible's programs run there."""

    def __init__(self, folder, service, token):
        self.folder = folder
        self._service = service
        self._token = token
        (folder / "ansible.cfg").touch()

    def inventory(self, file, plugin, **options):
        """Write an inventory of the service; an option that is None is left out."""
        given = {
            "plugin": f"zonesmith.dns.{plugin}",
            "base_url": self._service.url,
            "access_token": self._token,
            "retries": 0,
            **options,
        }
        values = {name: item for name, item in given.items() if item is not None}
        (self.folder / file).write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")

    def run(self, program, *arguments, sources, **variables):
        """All that the program says with these inventories, in this order."""
        environment = {
            **clean_environment(self.folder),
            "ANSIBLE_SSH_TIMEOUT": "1",
            "COLUMNS": "4000",
            **variables,
        }
        del environment["ANSIBLE_TRANSPORT"], environment["ANSIBLE_CALLBACKS_ENABLED"]
        command = [
            programs.folder() / program,
            *(f"--inventory={source}" for source in sources),
            *arguments,
        ]
        return programs.called(command, self.folder, environment, TIME_LIMIT).stdout

    def hosts(self, *sources):
        """The variables of each host, and all that was said."""
        output = self.run("ansible-inventory", "--list", "--output=listed.json", sources=sources)
        file = self.folder / "listed.json"
        assert file.exists(), output
        listed = json.loads(
            file.read_text("utf-8"), object_hook=lambda item: item.get("__ansible_unsafe", item)
        )
        file.unlink()
        hosts = listed["_meta"]["hostvars"]
        return hosts, output

    def play(self, plays, *sources, **variables):
        """All that ansible-playbook says."""
        (self.folder / "playbook.json").write_text(json.dumps(plays), encoding="utf-8")
        return self.run("ansible-playbook", "playbook.json", sources=sources, **variables)


def says(text, expected):
    """Whether a text is in what was said; ansible-core 2.18 breaks its lines anywhere."""
    return "".join(expected.split()) in "".join(text.split())
