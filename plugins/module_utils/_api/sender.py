# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request and its checked answer. The only file that sends HTTP requests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urlsplit

from ansible_collections.zonesmith.dns.plugins.module_utils._api.answers import (
    Asked,
    ServiceError,
    TransientFailure,
    checked_envelope,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.connection import (
    Connection,
    checked_base_url,
    checked_token,
    is_loopback,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._api.transport import (
    AnswerBroken,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
    content_of,
)

try:
    import requests
    from urllib3.exceptions import HTTPError
except ImportError as error:
    REQUESTS_MISSING: ImportError | None = error
else:
    REQUESTS_MISSING = None


VERSION = "2.0.0"
"""The version in galaxy.yml, which is not where modules run."""

USER_AGENT = f"zonesmith.dns/{VERSION}"


class Sender:
    """Requests to the service behind one base URL. Safe to use from several threads; keeps *connections* open.

    Raises InvalidConnection before any request where the token must not be sent that way.
    """

    def __init__(self, connection: Connection, connections: int):
        self.base_url = checked_base_url(connection.base_url, connection.allow_insecure_http)
        self._options = connection
        self._host = urlsplit(self.base_url).hostname or ""
        self._was_answered = False
        self._token = checked_token(connection.access_token, is_short_allowed=is_loopback(self._host))
        # Without a session around it, which would look for credentials, cookies and redirects with each request.
        self._adapter = BoundedAdapter(pool_maxsize=connections)

    @cached_property
    def _common(self) -> requests.PreparedRequest:
        """What all requests have in common, made once. Raises ValueError."""
        headers = requests.utils.default_headers()
        headers.update({"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": USER_AGENT})
        headers["Authorization"] = f"Bearer {self._token}"
        common = requests.PreparedRequest()
        common.prepare("GET", self.base_url, headers)
        return common

    @cached_property
    def _way(self) -> Mapping[str, Any]:
        """Proxies and authorities, as the options and the environment have them, looked up once. Raises ValueError."""
        # Plain http is allowed for a loopback host because nobody else sees it; a proxy would.
        proxies = {"no_proxy": self._host} if is_loopback(self._host) else {}
        verify = self._options.ca_path or True if self._options.validate_certs else False
        return requests.Session().merge_environment_settings(self.base_url, proxies, True, verify, None)

    def _request(self, method: str, path: str, body: dict[str, Any] | None) -> requests.PreparedRequest:
        request = self._common.copy()
        request.method = method
        request.url = f"{(request.url or '').rstrip('/')}{path}"
        request.prepare_body(None, None, body)
        return request

    def send(self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> dict[str, Any]:
        """The envelope of the answer (spec 2.1). Raises ServiceError, TransientFailure."""
        asked = Asked(method, self.base_url, _with_query(path, query))
        try:
            request = self._request(method, asked.path, body)
            response = self._adapter.send(request, timeout=self._options.timeout, **self._way)
            content = content_of(response)
            self._was_answered = True
        except AnswerRefused as error:
            refused = ServiceError(f"{urlsplit(self.base_url).netloc} {error}")
            if method == "GET" and not isinstance(error, AnswerBroken):
                raise refused from error
            raise TransientFailure(refused, not_carried_out=False) from error
        # TypeError is what requests makes of a proxy without a host.
        except (AnswerTooSlow, HTTPError, OSError, ValueError, OverflowError, TypeError) as error:
            raise self._no_answer(error) from error
        return checked_envelope(response, content, self._options.access_token, asked)

    def _no_answer(self, error: Exception) -> ServiceError | TransientFailure:
        """Why there was none, the way that the request went, as far as that could be found out."""
        from ansible_collections.zonesmith.dns.plugins.module_utils._api.no_answer import Way, no_answer

        try:
            proxies = self._way["proxies"]
        except ValueError:
            proxies = {}
        return no_answer(error, Way(self.base_url, self._options, proxies, self._was_answered))


def _with_query(path: str, query: dict[str, str] | None) -> str:
    return f"{path}?{urlencode(query)}" if query else path
