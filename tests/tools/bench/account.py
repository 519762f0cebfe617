# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured of an account with many zones: dns_zones from a folder of zone files, and octoDNS from its YAML."""

from dataclasses import dataclass
from pathlib import Path

from cases import AUTO, CONNECTIONS, Case, Tool, connection
from entries import TTL, entries, is_tenth, zone_file

SETS = 20
"""In each zone."""

CHANGED_ZONES = 5
"""In each of which two sets change, so that it is ten of them all."""

EMPTY, SAME, TEN = "empty zones", "unchanged zones", "ten sets changed"
ACCOUNT_TITLES = {
    EMPTY: f"Many empty zones, {SETS} sets for each",
    SAME: f"Many zones of {SETS} sets, no change",
    TEN: f"Many zones of {SETS} sets, ten sets changed",
}
DNS_ZONES = "dns_zones"
DNS_ZONES_AUTO = "dns_zones with auto (default)"
OCTODNS = "octoDNS"
FEW, MANY, MOST = 100, 500, 1000

PROVIDER = "octodns_provider.py"
CONFIGURATION = """\
manager:
  max_workers: {workers}
providers:
  files:
    class: octodns.provider.yaml.YamlProvider
    directory: ./zones
    default_ttl: {ttl}
  service:
    class: octodns_provider.StandInProvider
    url: {url}
    token: {token}
zones:
  '*':
    sources: [files]
    targets: [service]
"""


@dataclass(frozen=True)
class AccountCase(Case):
    """One tool, one operation, so many zones, which take the place of the sets in its key."""

    def held(self):
        """What our stand-in holds before, by zone."""
        held = [] if self.operation == EMPTY else [self.tool.held(entry) for entry in entries(SETS)]
        return dict.fromkeys(self._zones(), held)

    def files(self, services):
        """The playbook, and a zone file for each zone."""
        return {
            **super().files(services),
            **{f"zones/{zone}.zone": zone_file(self._sets(zone)) for zone in self._zones()},
        }

    def writes(self):
        """How many writing calls it takes; a set that changes takes two."""
        tenth = sum(map(is_tenth, range(SETS)))
        changed = len(self._changed())
        return {EMPTY: SETS * self.sets, SAME: 0, TEN: 2 * tenth * changed}[self.operation]

    def _zones(self):
        return [f"zone{number:03}.example" for number in range(self.sets)]

    def _changed(self):
        return self._zones()[:CHANGED_ZONES]

    def _sets(self, zone):
        return entries(SETS, changed=self.operation == TEN and zone in self._changed())


@dataclass(frozen=True)
class OctoCase(AccountCase):
    """The same with octoDNS, which reads its own files."""

    def files(self, services):
        """Its configuration, the provider for the service, and a file for each zone."""
        configuration = CONFIGURATION.format(
            workers=CONNECTIONS, ttl=TTL, url=services.url, token=services.token
        )
        provider = Path(__file__).with_name(PROVIDER).read_text("utf-8")
        files = {"octodns.yaml": configuration, PROVIDER: provider}
        for zone in self._zones():
            files[f"zones/{zone}.yaml"] = "".join(map(_yaml, self._sets(zone)))
        return files

    @property
    def command(self):
        """What is measured, in the folder of the files."""
        return ["octodns-sync", "--config-file", "octodns.yaml", "--doit"]


def account_cases():
    """Every case, in the order of measurement."""
    kinds = ((AccountCase, _DNS_ZONES), (AccountCase, _DNS_ZONES_AUTO), (OctoCase, _OCTODNS))
    return [
        kind(tool, operation, number)
        for kind, tool in kinds
        for operation, numbers in tool.sizes.items()
        for number in numbers
    ]


def _yaml(entry):
    """A set as octoDNS writes it, whose keys have to be in order."""
    head = f"{entry.name}:\n  ttl: {TTL}\n  type: {entry.type}\n"
    if entry.preference is None:
        return f"{head}  value: {entry.value}\n"
    return f"{head}  values:\n  - exchange: {entry.value}\n    preference: {entry.preference}\n"


def _tasks(concurrency):
    def tasks(_wanted, _prune, services):
        options = {"concurrency": concurrency, "src": "zones", "prune": True}
        return [{"zonesmith.dns.dns_zones": {**connection(services), **options}}]

    return tasks


_SIZES = {EMPTY: (FEW, MANY), SAME: (MANY, MOST), TEN: (MANY,)}
_DNS_ZONES = Tool(DNS_ZONES, _tasks(CONNECTIONS), _SIZES)
_DNS_ZONES_AUTO = Tool(DNS_ZONES_AUTO, _tasks(AUTO), _SIZES)
# Which takes about a second for each empty zone.
_OCTODNS = Tool(OCTODNS, _tasks(CONNECTIONS), {EMPTY: (FEW,), SAME: (MANY, MOST), TEN: (MANY,)})
