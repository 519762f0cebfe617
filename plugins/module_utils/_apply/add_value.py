# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The POST of one value of a set.

What is done around each try stands at the top of ``delete_set.py``. A POST that has no answer is not sent
again if a snapshot shows its value. While a value of a deleted set fails, other DELETEs wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .._api.answers import ServiceError
from .._api.client import new_record
from .._api.retries import Write
from .._api.stale_snapshots import READ_BACKOFF, READ_ONCE, SHORT_BACKOFF, read_until
from .._dns.names import relative_name
from .._dns.rdata import InvalidRdata
from .._dns.record_set import RecordSet, union, values_of
from .._dns.sending import sending_form
from .delete_set import is_in_the_way_of
from .set_at_work import SetAtWork


def add(one: SetAtWork, value: str, *, is_urgent: bool) -> None:
    """Add a value of the set that is to be made. Raises ServiceError.

    *is_urgent* while a deleted set is incomplete.
    """
    after = one.change.after
    if after is None:
        return
    try:
        _post_in_some_form(one, value, after.ttl, is_urgent)
    except InvalidRdata as error:  # shown by the service, but not sendable
        raise ServiceError(str(error), is_refusal=True) from error
    one.log_sent(union(one.sent, replace(after, values=(value,))))


def _post_in_some_form(one: SetAtWork, value: str, ttl: int, is_urgent: bool) -> None:
    """Add a value; a text that is refused in one form may be accepted in the other."""
    text = one.zone.text
    forms = text.forms_for(one.key.type, value, one.zone.log.dialect)
    for form in forms:
        try:
            _post(one, value, ttl, form, is_urgent)
        except ServiceError as error:
            if not error.refuses_the_value:
                raise
            if _look_for_refused(one, error, value):
                return
            if is_in_the_way_of(one, one.key, value) or form == forms[-1]:
                raise
        else:
            if form != forms[0]:
                text.form = form
            return


def _post(one: SetAtWork, value: str, ttl: int, form: str, is_urgent: bool) -> None:
    zone = one.zone
    content, priority = sending_form(one.key.type, value, quoted=form == "quoted")
    name = relative_name(one.key.name, zone.latest.name)
    body = new_record(name, one.key.type, content, ttl, priority)

    def before_each_try() -> None:
        if not is_urgent:
            zone.log.check_held()
        one.has_sent = True
        one.log_sent(one.sent)

    def on_failure() -> None:
        if one.entry.has_delete:
            zone.deletions.addition_fails(one.at, str(one.key))

    write = Write(
        is_done=lambda: _wait_to_see(one, value, SHORT_BACKOFF),
        before_each_try=before_each_try,
        is_urgent=is_urgent,
        on_failure=on_failure,
    )
    zone.client.create_value(zone.latest.slug, body, write)


def _look_for_refused(one: SetAtWork, error: ServiceError, value: str) -> bool:
    """Whether a value is there although it was refused.

    It may be from others, or from a request without an answer.
    """
    waits = READ_BACKOFF if error.may_have_happened else READ_ONCE
    try:
        return _wait_to_see(one, value, waits)
    except ServiceError:
        return False


def _wait_to_see(one: SetAtWork, value: str, waits: Sequence[float]) -> bool:
    """Whether a snapshot shows the value, and was taken after the DELETE.

    So nothing that is to go may be shown, of what is *desired*: what is sent so far lacks values that are to
    be sent again. This counts even if a snapshot has shown the past gone, since this one may be stale.

    For example, ``a`` and ``x`` are to become ``a`` and ``y``. The DELETE waits in a queue, so the POST of
    ``a`` is refused as a duplicate. A snapshot that shows ``a`` shows ``x``, too: both are about to go.
    """

    def is_visible(shown: RecordSet | None) -> bool:
        entry = one.entry
        altered = one.zone.log.dialect.altered_in(one.key, [value])
        is_there = not {value, *altered}.isdisjoint(values_of(shown))
        return is_there and not entry.past.is_left_in(shown, entry.desired)

    return is_visible(read_until(one.read, is_visible, waits))
