# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the service from a Python test. Needs nothing but the standard library on this side.

with Service(zones=["example.com"], settings={"latency": 50}) as service:
    service.zone("example.net", [("www", "A", 300, ["192.0.2.1"])])
    ...
    assert service.calls() == ["GET /dns/domains/examplenet"]
"""

import contextlib
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping

DEFAULT_TOKEN = "stand-in-token"


class Service:
    """One running service. It starts with the `with` block and ends with it, or with the process of the test."""

    def __init__(
        self,
        *arguments,
        zones=(),
        token=DEFAULT_TOKEN,
        settings=None,
    ):
        self.token = self._first_token = token
        self.url = ""
        self._command = [sys.executable, str(pathlib.Path(__file__).parent), f"--token={token}"]
        self._command += [f"--zone={zone}" for zone in zones]
        self._command += [f"--settings={json.dumps(settings or {})}", *arguments]
        self._command += [f"--parent={os.getpid()}"]
        self._process = None
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        # Proxies of the environment must not come between a test and its own machine.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusting)
        )

    def __enter__(self):
        """Start the service and wait until it listens. RuntimeError holds what it said when it does not."""
        with tempfile.TemporaryFile("w+") as complaints:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=complaints, text=True
            )
            self.url = self._process.stdout.readline().strip()
            if not self.url:
                self.__exit__()
                complaints.seek(0)
                raise RuntimeError(f"The service did not start: {complaints.read().strip()}")
        return self

    def __exit__(self, *_error):
        with self._process:
            self._process.terminate()

    def environment(self, state_dir):
        """The connection to it, as variables."""
        return {
            "ZONESMITH_BASE_URL": self.url,
            "ZONESMITH_ACCESS_TOKEN": self.token,
            "ZONESMITH_STATE_DIR": str(state_dir),
        }

    def zone(
        self,
        name,
        records=(),
        *,
        slug=None,
        status=None,
    ):
        """Make or replace a zone; a record is a mapping, or (name, type, ttl, contents)."""
        rows = [record if isinstance(record, Mapping) else _row(*record) for record in records]
        self._control(
            "PUT", f"zones/{_quoted(name)}", {"slug": slug, "status": status, "records": rows}
        )

    def records(self, name):
        """Return the record sets of a zone as the interface shows them."""
        return self._list(f"zones/{_quoted(name)}")

    def zones(self):
        """Return the zones as the interface lists them."""
        return self._list("zones")

    def remove_zone(self, name):
        """Remove a zone."""
        self._control("DELETE", f"zones/{_quoted(name)}")

    def log(self, path=""):
        """Return every request so far whose path holds this."""
        return self._list(f"log?path={urllib.parse.quote(path)}")

    def wait_log(self, n, timeout=10):
        """Wait until n requests have arrived, and return the log; TimeoutError when they have not."""
        entries = self._list(f"log?wait={n}&timeout={timeout}", timeout=timeout + 10)
        if len(entries) < n:
            raise TimeoutError(f"Only {len(entries)} of {n} requests arrived in {timeout} s.")
        return entries

    def clear_log(self):
        """Empty the log."""
        self._control("DELETE", "log")

    def calls(self):
        """Return the log in short: `GET /path`, `POST www A 192.0.2.1`, `DELETE www.example.com. A`."""
        return [_call(entry) for entry in self.log()]

    def fault(self, kind, **fields):
        """Set a fault."""
        self._control("POST", "faults", {"kind": kind, **fields})

    def met_faults(self):
        """The faults whose request has come."""
        return [fault for fault in self._list("faults") if fault["seen"] >= fault["nth"]]

    def clear_faults(self):
        """Clear the faults."""
        self._control("DELETE", "faults")

    def habits(self, zone, **habits):
        """Give a zone these habits and no others."""
        self._control("PUT", f"habits/{_quoted(zone)}", habits)

    def settings(self, **changes):
        """Change settings, and return all of them."""
        settings = self._control("PUT", "settings", changes)
        self.token = settings["token"]
        return settings

    def reset(self):
        """Go back to how the service started."""
        self._control("POST", "reset")
        self.token = self._first_token

    def _list(self, path, timeout=60):
        return self._control("GET", path, timeout=timeout)

    def _control(self, method, path, body=None, timeout=60):
        data = None if body is None else json.dumps(body).encode()
        url = f"{self.url}/_control/{path}"
        request = urllib.request.Request(url, data, method=method)  # noqa: S310 - the address is the service's own
        try:
            with contextlib.closing(self._opener.open(request, timeout=timeout)) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise ValueError(
                    f"{method} /_control/{path}: {error.code} {error.read().decode()}"
                ) from None


def _row(name, rtype, ttl, contents):
    return {"name": name, "type": rtype, "ttl": ttl, "contents": list(contents)}


def _quoted(name):
    return urllib.parse.quote(name, safe="")


def _call(entry):
    match entry:
        case {"method": "POST", "body": {"name": name, "type": rtype, "content": content} as body}:
            content = f"{body['priority']} {content}" if "priority" in body else content
            return f"POST {name} {rtype} {content}"
        case {"method": "DELETE", "query": {"name": name, "type": rtype}}:
            return f"DELETE {name} {rtype}"
    return f"{entry['method']} {entry['path']}"
