# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a record set was before a run wrote it: what was to go, and what a stale snapshot may show.

For example, a set holds ``a`` with TTL 300, and is to hold ``a`` and ``b`` with TTL 60. Its past has
the value ``a`` and the TTL 300. Of these, only the TTL is to go. So a snapshot that shows TTL 300 is
stale, or the DELETE has not taken effect. One that shows ``a`` says nothing.

Who changes it:

====================  =================  ==================  ==========================  ======================
event of the entry    *newest*           *values*, *ttls*    *lasting*                   is it gone?
====================  =================  ==================  ==========================  ======================
``begun``             the set, as it is  those of *newest*   the values of *newest* and  no; but yes if the set
                      held and shown     are added           of all earlier moments      was not there
``begun`` where it    the same           the same            none: a missing value does  the same
was unproven                                                 not tell which DELETE it
                                                             was
``deleting``          the set, as sent   the same            as for ``begun``            the same
``compared``          as before          as before           as before                   yes, once a snapshot
                                                                                         lacks one of *lasting*
``with_ttl_kept``     as before          no *ttls*           as before                   as before
====================  =================  ==================  ==========================  ======================

Only ``compared`` keeps what a snapshot proves, since its snapshot was taken after all requests. Any other one may be
stale, and show a moment that is not among these: when the set was not there yet, or was being made.
"""

from __future__ import annotations

from typing import NamedTuple

from .._dns.record_set import RecordSet, bare, minus, values_of


class Past(NamedTuple):
    """The sets that a snapshot may show in place of the one that was written last.

    * *newest*: the set before the last write; None if it was not there.
    * *values*, *ttls*: all that it had then, and at earlier moments. A stale snapshot may show any of
      it, and any snapshot may, as long as a DELETE has not taken effect.
    * *lasting*: the values that it had at each of these moments, so that a snapshot which lacks one is newer,
      and a DELETE has taken effect.
    * *is_gone*: whether a snapshot has shown that the past is gone, so that only stale ones show it;
      also if the set was not there before, so that there is nothing to go.
    """

    newest: RecordSet | None = None
    values: frozenset[str] = frozenset()
    ttls: frozenset[int] = frozenset()
    lasting: frozenset[str] = frozenset()
    is_gone: bool = False

    def with_newest(self, former: RecordSet | None) -> Past:
        """The past once the set that was *former* until now is written."""
        newest = bare(former)
        if newest is None:
            return self._replace(newest=None, is_gone=True)
        values = self.values.union(newest.values)
        ttls = self.ttls.union(newest.ttls)
        lasting = frozenset(newest.values)
        if self.values:
            lasting &= self.lasting
        return Past(newest, values, ttls, lasting)

    def is_deleted_in(self, shown: RecordSet | None) -> bool:
        """Whether a snapshot shows that a DELETE took effect: it lacks what the set had at each of these moments.

        After a wrong no, a DELETE is sent again, or may come late, which is told. After a wrong yes, it goes untold.
        """
        return shown is None or not self.lasting.issubset(shown.values)

    def is_left_in(self, shown: RecordSet | None, expected: RecordSet | None) -> bool:
        """Whether a snapshot shows a value or a TTL of the past that the *expected* set lacks.

        A TTL that the set never had is the service's, or other writers'. If no set is expected, its values
        tell enough: others may have added some with the old TTL.
        """
        if shown is None:
            return False
        values = self.values.difference(values_of(expected))
        ttls = (self.ttls - expected.ttls) if expected else frozenset()
        return not values.isdisjoint(shown.values) or not ttls.isdisjoint(shown.ttls)

    def is_replaced_in(self, shown: RecordSet | None, expected: RecordSet | None) -> bool:
        """Whether a snapshot shows all values of the *expected* set, and nothing else of the past."""
        return not minus(expected, shown) and not self.is_left_in(shown, expected)

    def is_whole_in(self, shown: RecordSet | None, desired: RecordSet | None) -> bool:
        """Whether a snapshot shows the set as it was before the last write, and not as *desired*."""
        before = self.newest
        if before is None or shown is None or before.ttl != shown.ttl:
            return False
        # An earlier run may have deleted values that are to stay.
        to_stay = self.values.intersection(values_of(desired))
        is_whole = to_stay.union(before.values).issubset(shown.values)
        return is_whole and self.is_left_in(before, desired)
