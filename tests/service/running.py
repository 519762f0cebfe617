# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the service from a Python test. Needs nothing but the standard library on this side.

with Service(zones=["example.com"], settings={"latency": 50}) as service:
    service.zone("example.net", [("www", "A", 300, ["192.0.2.1"])])
    ...
    assert service.calls() == ["GET /dns/domains/examplenet"]
"""

from __future__ import annotations

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
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Record = Mapping[str, Any] | tuple[str, str, int, Sequence[str]]

DEFAULT_TOKEN = "stand-in-token"


class Service:
    """One running service. It starts with the `with` block and ends with it, or with the process of the test."""

    def __init__(
        self,
        *arguments: str,
        zones: Iterable[str] = (),
        token: str = DEFAULT_TOKEN,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.token = self._first_token = token
        self.url = ""
        self._command = [sys.executable, str(pathlib.Path(__file__).parent), f"--token={token}"]
        self._command += [f"--zone={zone}" for zone in zones]
        self._command += [f"--settings={json.dumps(settings or {})}", *arguments]
        self._command += [f"--parent={os.getpid()}"]
        self._process: subprocess.Popen[str] | None = None
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        # Proxies of the environment must not come between a test and its own machine.
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusting)
        )

    def __enter__(self) -> Service:
        """Start the service and wait until it listens. RuntimeError holds what it said when it does not."""
        with tempfile.TemporaryFile("w+") as complaints:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=complaints, text=True
            )
            assert self._process.stdout is not None
            self.url = self._process.stdout.readline().strip()
            if not self.url:
                self.__exit__()
                complaints.seek(0)
                raise RuntimeError(f"The service did not start: {complaints.read().strip()}")
        return self

    def __exit__(self, *_error: object) -> None:
        assert self._process is not None
        with self._process:
            self._process.terminate()

    def environment(self, state_dir: pathlib.Path) -> dict[str, str]:
        """The connection to it, as variables."""
        return {
            "ZONESMITH_BASE_URL": self.url,
            "ZONESMITH_ACCESS_TOKEN": self.token,
            "ZONESMITH_STATE_DIR": str(state_dir),
        }

    def zone(
        self,
        name: str,
        records: Iterable[Record] = (),
        *,
        slug: str | None = None,
        status: bool | None = None,
    ) -> None:
        """Make or replace a zone; a record is a mapping, or (name, type, ttl, contents)."""
        rows = [record if isinstance(record, Mapping) else _row(*record) for record in records]
        self._control(
            "PUT", f"zones/{_quoted(name)}", {"slug": slug, "status": status, "records": rows}
        )

    def records(self, name: str) -> list[dict[str, Any]]:
        """Return the record sets of a zone as the interface shows them."""
        return self._list(f"zones/{_quoted(name)}")

    def zones(self) -> list[dict[str, Any]]:
        """Return the zones as the interface lists them."""
        return self._list("zones")

    def remove_zone(self, name: str) -> None:
        """Remove a zone."""
        self._control("DELETE", f"zones/{_quoted(name)}")

    def log(self, path: str = "") -> list[dict[str, Any]]:
        """Return every request so far whose path holds this."""
        return self._list(f"log?path={urllib.parse.quote(path)}")

    def wait_log(self, n: int, timeout: float = 10) -> list[dict[str, Any]]:
        """Wait until n requests have arrived, and return the log; TimeoutError when they have not."""
        entries = self._list(f"log?wait={n}&timeout={timeout}", timeout=timeout + 10)
        if len(entries) < n:
            raise TimeoutError(f"Only {len(entries)} of {n} requests arrived in {timeout} s.")
        return entries

    def clear_log(self) -> None:
        """Empty the log."""
        self._control("DELETE", "log")

    def calls(self) -> list[str]:
        """Return the log in short: `GET /path`, `POST www A 192.0.2.1`, `DELETE www.example.com. A`."""
        return [_call(entry) for entry in self.log()]

    def fault(self, kind: str, **fields: Any) -> None:
        """Set a fault."""
        self._control("POST", "faults", {"kind": kind, **fields})

    def met_faults(self) -> list[dict[str, Any]]:
        """The faults whose request has come."""
        return [fault for fault in self._list("faults") if fault["seen"] >= fault["nth"]]

    def clear_faults(self) -> None:
        """Clear the faults."""
        self._control("DELETE", "faults")

    def habits(self, zone: str, **habits: Any) -> None:
        """Give a zone these habits and no others."""
        self._control("PUT", f"habits/{_quoted(zone)}", habits)

    def settings(self, **changes: Any) -> dict[str, Any]:
        """Change settings, and return all of them."""
        settings: dict[str, Any] = self._control("PUT", "settings", changes)
        self.token = settings["token"]
        return settings

    def reset(self) -> None:
        """Go back to how the service started."""
        self._control("POST", "reset")
        self.token = self._first_token

    def _list(self, path: str, timeout: float = 60) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self._control("GET", path, timeout=timeout)
        return entries

    def _control(self, method: str, path: str, body: Any = None, timeout: float = 60) -> Any:
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


def _row(name: str, rtype: str, ttl: int, contents: Sequence[str]) -> dict[str, Any]:
    return {"name": name, "type": rtype, "ttl": ttl, "contents": list(contents)}


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _call(entry: Mapping[str, Any]) -> str:
    match entry:
        case {"method": "POST", "body": {"name": name, "type": rtype, "content": content} as body}:
            content = f"{body['priority']} {content}" if "priority" in body else content
            return f"POST {name} {rtype} {content}"
        case {"method": "DELETE", "query": {"name": name, "type": rtype}}:
            return f"DELETE {name} {rtype}"
    return f"{entry['method']} {entry['path']}"
