# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The specification of the DNS service as a small web service: `python tests/service --help`."""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import ssl
import sys

try:
    import control
    from aiohttp import web
    from clock import Clock
    from faults import Faults
    from log import Log
    from powerdns import PowerDNSZones
    from settings import Settings
    from store import RefusedError, ZoneDefinition
    from web import Interface
    from zones import MemoryZones
except ModuleNotFoundError as missing:
    sys.exit(
        f"The service needs aiohttp and dnspython (no module {missing.name}): pip install aiohttp dnspython"
    )

HOST = "127.0.0.1"
KEEP_ALIVE = 3600
LARGEST_BODY = 256 * 1024 * 1024


def main():
    """Run the service until it is told to stop."""
    arguments = _parser().parse_args()
    try:
        asyncio.run(_serve(arguments))
    except (OSError, RefusedError, ValueError) as failed:
        sys.exit(f"The service cannot start: {failed}")
    except KeyboardInterrupt:
        # Only between the start of the program and that of the signal handlers.
        pass


def _parser():
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
        "--powerdns-url",
        metavar="URL",
        help="keep zones in a PowerDNS Authoritative server whose HTTP API is there, such as http://127.0.0.1:8081, and "
        "not in memory. It has its own rules and refusals; zones that it has already are served too",
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


async def _serve(arguments):
    clock = Clock()
    url = arguments.powerdns_url
    settings = Settings(token=arguments.token, txt_write="raw" if url else "any")
    settings.change(arguments.settings)
    zones = _zones(arguments.zone)
    stored = contextlib.nullcontext(MemoryZones(settings, clock))
    if url:
        stored = PowerDNSZones(url, arguments.powerdns_key)
    async with stored as store:
        for zone in zones:
            await store.put_zone(zone)
        await _serve_zones(_application(store, zones, settings, clock), arguments)


async def _serve_zones(application, arguments):
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


def _application(store, zones, settings, clock):
    faults, log = Faults(), Log(clock)
    application = web.Application(client_max_size=LARGEST_BODY)
    application.add_routes(control.Control(store, zones, settings, faults, log).routes())
    interface = Interface(store, settings, faults, log, clock)
    application.router.add_route("*", r"/{path:[\s\S]*}", interface.handle)
    return application


def _zones(texts):
    zones = []
    for text in texts:
        name, given, slug = text.partition("=")
        zones.append(ZoneDefinition.from_json(name, slug=slug if given else None))
    return zones


async def _listen(server, arguments):
    context = None
    if arguments.tls_cert:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(arguments.tls_cert)
    await web.TCPSite(server, HOST, arguments.port, ssl_context=context, backlog=1024).start()
    return f"{'https' if context else 'http'}://{HOST}:{server.addresses[0][1]}"


async def _until_orphaned(parent, stop):
    while os.getppid() == parent and not stop.is_set():
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stop.wait(), 0.2)
    stop.set()


if __name__ == "__main__":
    main()
