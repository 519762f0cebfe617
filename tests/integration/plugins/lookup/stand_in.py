# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stand-in service got and what it holds, as `python tests/service --help` says.

An assertion asks ten times, and ansible.builtin.url reads the machine's certificates each time.
"""

import json
import ssl
import urllib.request

from ansible.plugins.lookup import LookupBase

SECONDS = 60


class LookupModule(LookupBase):
    """The answer to GET service_control/PATH, for each PATH."""

    def run(self, terms, variables=None, **_options):
        """Ask for each."""
        # By default it reads the machine's certificates, which takes longer than the question.
        https = urllib.request.HTTPSHandler(context=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), https)
        answers = []
        for path in terms:
            with opener.open(
                f"{(variables or {})['service_control']}/{path}", timeout=SECONDS
            ) as answer:
                answers.append(json.load(answer))
        return answers
