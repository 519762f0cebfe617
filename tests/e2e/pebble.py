# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run Pebble, an ACME server for tests, that looks for challenges at the DNS server it is given.

with PowerDNS() as server, Pebble(server.name_server) as acme:
    ...  # acme.directory, reached over a TLS connection that acme.ca verifies; its root certificate is acme.root()
"""

import json
from pathlib import Path

import requests
from certificates import Authority
from processes import Server, free_port, program

ADDRESS = "127.0.0.1"


class Pebble(Server):
    """One server."""

    def __init__(self, name_server):
        self.directory = ""
        self.ca = Path()
        self._name_server = name_server
        self._management = ""

    def root(self):
        """Return the root of the certificates that it issues, as PEM."""
        return self._get(f"{self._management}/roots/0")

    def command(self, folder):
        """Make the certificate and the configuration."""
        authority = Authority(folder)
        self.ca, own = authority.bundle, str(authority.certificate("pebble"))
        listen, manage = f"{ADDRESS}:{free_port()}", f"{ADDRESS}:{free_port()}"
        self.directory = f"https://{listen}/dir"
        self._management = f"https://{manage}"
        config = {
            "listenAddress": listen,
            "managementListenAddress": manage,
            "certificate": own,
            "privateKey": own,
            "httpPort": free_port(),
            "tlsPort": free_port(),
        }
        (folder / "pebble.json").write_text(json.dumps({"pebble": config}), "utf-8")
        options = ["-config", folder / "pebble.json", "-dnsserver", self._name_server, "-strict"]
        # No pause before it looks at a challenge.
        return ["env", "PEBBLE_VA_NOSLEEP=1", program("pebble"), *options]

    def is_ready(self):
        """Whether both of its ports answer."""
        try:
            self._get(self.directory)
            self.root()
        except OSError:
            return False
        return True

    def _get(self, url):
        with requests.Session() as session:
            session.trust_env = False  # no proxy comes between a test and its own machine
            return session.get(url, verify=str(self.ca), timeout=10).text
