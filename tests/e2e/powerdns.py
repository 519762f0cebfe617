# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run PowerDNS Authoritative servers from a Python test, each with its own database, ports and key.

with PowerDNS() as primary, PowerDNS() as secondary:
    primary.make_zone("example.com")
    secondary.follow(primary, "example.com")        # and lags from now on, until
    secondary.catch_up(primary, "example.com")
    assert secondary.ask("www.example.com", "A").answer == ...
"""

import secrets
import subprocess
import time
from pathlib import Path

import dns.message
import dns.name
import dns.query
import dns.rdatatype
import requests
from processes import Server, free_port, program

SCHEMA = Path("/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql")
ADDRESS = "127.0.0.1"
TIME_LIMIT = 10.0

# A secondary asks for changes when the test says so: no notification reaches it, and it looks by itself once a day.
CONFIG = """\
launch=gsqlite3
gsqlite3-database={folder}/zones.sqlite3
local-address={address}
local-port={port}
api=yes
api-key={key}
webserver=yes
webserver-address={address}
webserver-port={web_port}
webserver-loglevel=none
socket-dir={folder}
guardian=no
daemon=no
primary=no
secondary=yes
slave-cycle-interval=86400
allow-axfr-ips=127.0.0.0/8
dname-processing=yes
expand-alias=yes
resolver={address}:{port}
"""


class PowerDNS(Server):
    """One server."""

    def __init__(self):
        self.port = 0
        self.url = ""
        self.key = secrets.token_hex(16)

    @property
    def name_server(self):
        """Where it answers DNS queries, as ADDRESS:PORT."""
        return f"{ADDRESS}:{self.port}"

    def make_zone(self, name, **fields):
        """Make a zone with SOA and NS; fields are those of PowerDNS's Zone object."""
        zone = {
            "name": f"{name}.",
            "kind": "Native",
            "nameservers": [f"ns1.{name}.", f"ns2.{name}."],
            **fields,
        }
        self.api("POST", "zones", zone)

    def write(self, zone, name, rtype, ttl, contents):
        """Give a record set these contents behind the back of everybody else; none removes it."""
        records = [{"content": content, "disabled": False} for content in contents]
        change = {
            "name": f"{name}.",
            "type": rtype,
            "ttl": ttl,
            "changetype": "REPLACE" if contents else "DELETE",
        }
        self.api("PATCH", f"zones/{zone}.", {"rrsets": [{**change, "records": records}]})

    def follow(self, primary, zone):
        """Become a secondary of a zone, with what it holds now. It lags from then on."""
        self.api(
            "POST", "zones", {"name": f"{zone}.", "kind": "Slave", "masters": [primary.name_server]}
        )
        self.catch_up(primary, zone)

    def catch_up(self, primary, zone):
        """Take over from the primary what the zone holds now."""
        wanted = primary.serial(zone)
        end = time.monotonic() + TIME_LIMIT
        self.api("PUT", f"zones/{zone}./axfr-retrieve")
        while self.serial(zone) != wanted:
            if time.monotonic() > end:
                raise TimeoutError(
                    f"The secondary did not catch up with {zone} in {TIME_LIMIT:g} s."
                )
            time.sleep(0.05)

    def serial(self, zone):
        """Return the serial of the zone's SOA, or None where there is none."""
        answer = self.ask(zone, "SOA").answer
        return int(answer[0][0].serial) if answer else None

    def ask(self, name, rtype):
        """Send one query, over TCP where the answer needs it."""
        query = dns.message.make_query(
            name, rtype, use_edns=0, payload=1232, idna_codec=dns.name.IDNA_2008_UTS_46
        )
        answer, _tcp = dns.query.udp_with_fallback(query, ADDRESS, TIME_LIMIT, self.port)
        return answer

    def api(self, method, path, body=None):
        """Call the server's own HTTP API; ValueError holds what it refuses."""
        url = f"{self.url}/api/v1/servers/localhost/{path}"
        with requests.Session() as session:
            session.trust_env = False  # no proxy comes between a test and its own machine
            answer = session.request(
                method, url, json=body, headers={"X-API-Key": self.key}, timeout=TIME_LIMIT
            )
        if not answer.ok:
            raise ValueError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def command(self, folder):
        """Make the database and the configuration."""
        self.port, web_port = free_port(), free_port()
        self.url = f"http://{ADDRESS}:{web_port}"
        with SCHEMA.open() as schema:
            subprocess.run([program("sqlite3"), folder / "zones.sqlite3"], stdin=schema, check=True)
        settings = CONFIG.format(
            folder=folder, address=ADDRESS, port=self.port, key=self.key, web_port=web_port
        )
        (folder / "pdns.conf").write_text(settings, "utf-8")
        return [program("pdns_server"), f"--config-dir={folder}"]

    def is_ready(self):
        """Whether its HTTP API answers: by then it answers queries too."""
        try:
            self.api("GET", "config")
        except (OSError, ValueError):
            return False
        return True
