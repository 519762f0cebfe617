# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells the stand-in service what to hold and how to fail, as `python tests/service --help` says.

It runs in Ansible's worker: a process of its own, such as ansible.builtin.uri starts, takes ten times as long.
"""

import json
import os
import ssl
import urllib.error
import urllib.request
from pathlib import Path

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

SECONDS = 60


class ActionModule(ActionBase):
    """A request to service_control/PATH, with a body as JSON."""

    TRANSFERS_FILES = False
    _VALID_ARGS = frozenset(("method", "path", "body"))

    def run(self, tmp=None, task_vars=None):
        """Send it; fail with what the service says where it refuses."""
        result = super().run(tmp, task_vars)
        arguments = self._task.args
        url = f"{(task_vars or {})['service_control']}/{arguments['path']}"
        body = json.dumps(arguments["body"]).encode() if "body" in arguments else None
        request = urllib.request.Request(url, body, method=arguments["method"])  # noqa: S310 - the service's own address
        # By default it reads the machine's certificates, which takes longer than the request.
        https = urllib.request.HTTPSHandler(context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), https)
        try:
            opener.open(request, timeout=SECONDS).close()
        except urllib.error.HTTPError as refusal:
            raise AnsibleActionFail(
                f"The service answered {refusal.code}: {refusal.read().decode()}"
            ) from None
        if arguments["path"].startswith("zones/") and arguments["method"] == "PUT":
            # The zone begins anew: nobody has written to it within the last minute.
            for document in Path(os.environ["ZONESMITH_STATE_DIR"]).glob("*.json"):
                document.unlink()
        return {**result, "changed": False}
