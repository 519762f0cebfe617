# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification of the DNS service as a small web service: `python tests/service --help`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import ssl
import sys
from collections.abc import Sequence

try:
    import control
    from aiohttp import web
    from clock import Clock
    from faults import Faults
    from log import Log
    from powerdns import PowerDNSZones
    from settings import Settings
    from store import RefusedError, ZoneDefinition
    from web import Interface, Store
    from zones import MemoryZones
except ModuleNotFoundError as missing:
    sys.exit(
        f"The service needs aiohttp and dnspython (no module {missing.name}): pip install aiohttp dnspython"
    )

HOST = "127.0.0.1"
KEEP_ALIVE = 3600
LARGEST_BODY = 256 * 1024 * 1024


def main() -> None:
    """Run the service until it is told to stop."""
    arguments = _parser().parse_args()
    try:
        asyncio.run(_serve(arguments))
    except (_StartError, RefusedError) as failed:
        sys.exit(f"The service cannot start: {failed}")
    except KeyboardInterrupt:
        # Only between the start of the program and that of the signal handlers.
        pass


class _StartError(Exception):
    """Why the service cannot start, in one sentence."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python tests/service",
        description="A stand-in for the DNS service: strict about every rule of its specification, with switches for "
        "what the specification leaves open. Once it listens, it prints one line: its base URL.",
        epilog=control.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Settings()
    add = parser.add_argument
    add("--port", type=int, default=0, help="port of 127.0.0.1 to listen on (default: a free one)")
    add(
        "--zone",
        action="append",
        default=[],
        metavar="NAME[=SLUG]",
        help="a zone to begin with; may be repeated. Default slug: the name without its dots. Two zones may have one "
        "slug: the first one answers",
    )
    add(
        "--backend",
        choices=("memory", "powerdns"),
        default="memory",
        help="where zones are kept: in memory, or in a PowerDNS Authoritative server, which then has its own rules and "
        "refusals; zones that it has already are served too (default: %(default)s)",
    )
    add(
        "--powerdns-url",
        metavar="URL",
        help="where PowerDNS's HTTP API is, such as http://127.0.0.1:8081",
    )
    add("--powerdns-key", metavar="KEY", help="its api-key")
    add("--token", default=default.token, help="the access token (default: %(default)s)")
    add(
        "--settings",
        type=json.loads,
        default={},
        metavar="JSON",
        help='settings (below): {"latency": 50}',
    )
    add(
        "--tls-cert",
        metavar="FILE",
        help="serve https with the certificate and the key in this file (PEM)",
    )
    add(
        "--parent",
        type=int,
        metavar="PID",
        help="stop when this process, which started the service, is gone",
    )
    return parser


async def _serve(arguments: argparse.Namespace) -> None:
    settings = _settings(arguments)
    clock = Clock()
    async with _store(arguments, settings, clock) as store:
        zones = _zones(arguments.zone)
        for zone in zones:
            await store.put_zone(zone)
        await _serve_zones(_application(store, zones, settings, clock), arguments)


def _store(
    arguments: argparse.Namespace, settings: Settings, clock: Clock
) -> contextlib.AbstractAsyncContextManager[Store]:
    url, key = arguments.powerdns_url, arguments.powerdns_key
    if arguments.backend == "memory":
        if url or key:
            raise _StartError("--powerdns-url and --powerdns-key need --backend powerdns.")
        return contextlib.nullcontext(MemoryZones(settings, clock))
    if not (url and key):
        raise _StartError("--backend powerdns needs --powerdns-url and --powerdns-key.")
    return PowerDNSZones(url, key)


async def _serve_zones(application: web.Application, arguments: argparse.Namespace) -> None:
    server = web.AppRunner(
        application, access_log=None, keepalive_timeout=KEEP_ALIVE, shutdown_timeout=0.1
    )
    await server.setup()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        print(await _listen(server, arguments), flush=True)
        if arguments.parent is not None:
            await _until_orphaned(arguments.parent, stop)
        await stop.wait()
    finally:
        await server.cleanup()


def _application(
    store: Store, zones: Sequence[ZoneDefinition], settings: Settings, clock: Clock
) -> web.Application:
    faults, log = Faults(), Log(clock)
    application = web.Application(client_max_size=LARGEST_BODY)
    application.add_routes(control.Control(store, zones, settings, faults, log).routes())
    interface = Interface(store, settings, faults, log, clock)
    application.router.add_route("*", r"/{path:[\s\S]*}", interface.handle)
    return application


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = Settings(
        token=arguments.token, txt_write="raw" if arguments.backend == "powerdns" else "any"
    )
    try:
        settings.change(arguments.settings)
    except TypeError as error:
        raise _StartError(str(error)) from error
    return settings


def _zones(texts: Sequence[str]) -> list[ZoneDefinition]:
    zones = []
    for text in texts:
        name, given, slug = text.partition("=")
        try:
            zones.append(ZoneDefinition.from_json(name, slug=slug if given else None))
        except ValueError as error:
            raise _StartError(str(error)) from error
    return zones


async def _listen(server: web.AppRunner, arguments: argparse.Namespace) -> str:
    site = web.TCPSite(
        server, HOST, arguments.port, ssl_context=_tls(arguments.tls_cert), backlog=1024
    )
    try:
        await site.start()
    except (OSError, OverflowError) as error:
        raise _StartError(
            f"port {arguments.port}: {getattr(error, 'strerror', '') or error}."
        ) from error
    return f"{'https' if arguments.tls_cert else 'http'}://{HOST}:{server.addresses[0][1]}"


def _tls(certificate: str | None) -> ssl.SSLContext | None:
    if not certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate)
    except OSError as error:
        raise _StartError(f"certificate {certificate}: {error.strerror or error}.") from error
    return context


async def _until_orphaned(parent: int, stop: asyncio.Event) -> None:
    while os.getppid() == parent and not stop.is_set():
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stop.wait(), 0.2)
    stop.set()


if __name__ == "__main__":
    main()
