# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run BIND's named from a Python test: a primary server with zones of its own, which it sends to whom each allows."""

import contextlib

import dns.exception
import dns.message
import dns.query
from processes import Server, free_port, program

CONFIG = """\
options {{
    directory "{folder}";
    pid-file "{folder}/named.pid";
    session-keyfile "{folder}/session.key";
    managed-keys-directory "{folder}";
    listen-on port {port} {{ 127.0.0.1; }};
    listen-on-v6 port {port} {{ ::1; }};
    recursion no;
    dnssec-validation no;
    notify no;
    check-names primary ignore;
    allow-transfer {{ none; }};
    transfer-format many-answers;
}};
controls {{ }};
"""
ZONE = 'zone "{name}" {{ type primary; file "{name}.db"; allow-transfer {{ {allowed}; }}; }};\n'


class Bind(Server):
    """One server; *zones* has for each the text of its file, and who may have it, as ``allow-transfer`` says it; *key*
    is that of TSIG, as its configuration has it.
    """

    def __init__(self, zones, key):
        self.port = 0
        self._zones = zones
        self._key = key

    def command(self, folder):
        """Write the zones and the configuration."""
        self.port = free_port()
        parts = [CONFIG.format(folder=folder, port=self.port), self._key]
        for name, (text, allowed) in self._zones.items():
            (folder / f"{name}.db").write_text(text, "utf-8")
            parts.append(ZONE.format(name=name, allowed=allowed))
        (folder / "named.conf").write_text("".join(parts), "utf-8")
        return [program("named"), "-g", "-c", folder / "named.conf"]

    def is_ready(self):
        """Whether it answers for its zones."""
        with contextlib.suppress(dns.exception.Timeout, OSError):
            queries = [dns.message.make_query(name, "SOA") for name in self._zones]
            return all(dns.query.tcp(query, "127.0.0.1", 1, self.port).answer for query in queries)
        return False
