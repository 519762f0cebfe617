# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One request and its checked answer. The only file that sends HTTP requests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlencode, urlsplit

from ansible_collections.zonesmith.dns.plugins.module_utils._service.answers import (
    ServiceError,
    TransientFailure,
    checked_envelope,
    shown,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.connection import (
    Connection,
    checked_base_url,
    checked_token,
    is_loopback,
)
from ansible_collections.zonesmith.dns.plugins.module_utils._service.transport import (
    SLOWEST,
    AnswerBroken,
    AnswerRefused,
    AnswerTooSlow,
    BoundedAdapter,
    content_of,
)

try:
    import requests
    from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError
except ImportError as error:
    REQUESTS_MISSING: ImportError | None = error
else:
    REQUESTS_MISSING = None


VERSION = "1.0.0"
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

    def _request(
        self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None
    ) -> requests.PreparedRequest:
        request = self._common.copy()
        request.method = method
        request.url = f"{(request.url or '').rstrip('/')}{path}{f'?{urlencode(query)}' if query else ''}"
        request.prepare_body(None, None, body)
        return request

    def send(self, method: str, path: str, query: dict[str, str] | None, body: dict[str, Any] | None) -> dict[str, Any]:
        """The envelope of the answer (spec 2.1). Raises ServiceError, TransientFailure."""
        try:
            request = self._request(method, path, query, body)
            response = self._adapter.send(request, timeout=self._options.timeout, **self._way)
            content = content_of(response)
        except AnswerRefused as error:
            refused = ServiceError(f"{urlsplit(self.base_url).netloc} {error}")
            if method == "GET" and not isinstance(error, AnswerBroken):
                raise refused from error
            raise TransientFailure(refused, not_carried_out=False) from error
        # TypeError is what requests makes of a proxy without a host.
        except (AnswerTooSlow, HTTPError, OSError, ValueError, OverflowError, TypeError) as error:
            raise self._failure(error) from error
        return checked_envelope(response, content, self._options.access_token, writes=method != "GET")

    def _failure(self, error: Exception) -> ServiceError | TransientFailure:
        """What it means that no answer came."""
        host, timeout = urlsplit(self.base_url).netloc, self._options.timeout
        why = shown(_innermost(error), self._options.access_token)
        if isinstance(error, requests.exceptions.SSLError):
            return ServiceError(f"the TLS connection to {host} failed, {why}; see ca_path")
        if isinstance(error, requests.exceptions.ConnectTimeout):
            return TransientFailure(
                ServiceError(f"{host} took no connection within {timeout:g} s"), not_carried_out=True
            )
        if isinstance(error, AnswerTooSlow):
            reason = f"{host} began to answer, and had not come to an end after {SLOWEST * timeout:g} s"
            return TransientFailure(ServiceError(reason), not_carried_out=False)
        if isinstance(error, (requests.exceptions.Timeout, ReadTimeoutError)):
            return TransientFailure(ServiceError(f"{host} did not answer within {timeout:g} s"), not_carried_out=False)
        if isinstance(error, (requests.exceptions.ConnectionError, HTTPError)) and not isinstance(error, ValueError):
            refused = isinstance(getattr(_argument(error), "reason", None), NewConnectionError)
            reason = f"{'no connection to' if refused else 'the connection broke to'} {host}, {why}"
            return TransientFailure(ServiceError(reason), not_carried_out=refused)
        return ServiceError(f"the request to {host} could not be sent, {why}")


def _argument(error: BaseException) -> Any:
    return error.args[0] if error.args else None


def _innermost(error: BaseException) -> str:
    """The words of the error that all others wrap, without the addresses of objects."""
    while True:
        inner = getattr(_argument(error), "reason", None) or _argument(error)
        inner = inner if isinstance(inner, BaseException) else error.__context__
        if inner is None or inner is error:
            break
        error = inner
    text = str(error.args[-1]) if error.args else type(error).__name__
    return re.sub(r"<[^<>]*>:? ?", "", text)
