# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Plans as tables: the zone as it is, what is wanted, and what changes, all as lines of a zone file."""

import re
from dataclasses import replace

import pytest
from plan_lines import APEX, ZONE, cases, desired_sets, lines, plan, pruning, shown, zone
from shorthand import named_rows

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.record_set import RecordSet
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.change import PlanRefused
from ansible_collections.zonesmith.dns.plugins.module_utils._plan.desired import Desired

PLANS = r"""
new set has the default ttl
    present www IN A 192.0.2.1
    create www A
    + 3600 192.0.2.1
new set in the order given
    present @ IN MX 20 backup.example.net.
    present @ IN MX 10 mail
    create @ MX
    + 3600 20 backup.example.net.
    + 3600 10 mail.example.com.
what is there stays
    www 300 IN A 192.0.2.1
    present www IN A 192.0.2.2
    extend www A
      300 192.0.2.1
    + 300 192.0.2.2
text shown in chunks
    @ 300 IN TXT "v=spf1" " -all"
    present @ IN TXT v=spf1 -all
other value goes ttl stays
    www 300 IN A 192.0.2.1
    exactly www IN A 192.0.2.2
    rebuild www A
    - 300 192.0.2.1
    + 300 192.0.2.2
ttl change keeps all values
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    present www 60 IN A 192.0.2.1
    rebuild www A
    - 300 192.0.2.1
    - 300 192.0.2.2
    + 60 192.0.2.1
    + 60 192.0.2.2
ttl zero is kept
    www 0 IN A 192.0.2.1
    present www IN A 192.0.2.2
    extend www A
      0 192.0.2.1
    + 0 192.0.2.2
one goes others and ttl stay
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    www 300 IN A 192.0.2.3
    absent www IN A 192.0.2.2
    rebuild www A
      300 192.0.2.1
    - 300 192.0.2.2
      300 192.0.2.3
value not there
    www 300 IN A 192.0.2.1
    absent www 60 IN A 192.0.2.9
in other spelling
    www 300 IN CNAME target
    absent www IN CNAME Target.example.com
    delete www CNAME
    - 300 target.example.com.
mx of any preference
    @ 300 IN MX 10 mail
    @ 300 IN MX 20 mail
    @ 300 IN MX 30 backup
    absent @ IN MX mail
    rebuild @ MX
    - 300 10 mail.example.com.
    - 300 20 mail.example.com.
      300 30 backup.example.com.
mx shown bare there already
    @ 300 IN MX mail.example.com.
    present @ IN MX 10 mail
mx shown bare extended
    @ 300 IN MX mail.example.com.
    present @ IN MX 20 backup
    extend @ MX
      300 mail.example.com.
    + 300 20 backup.example.com.
mx shown bare ttl change
    @ 300 IN MX mail.example.com.
    @ 300 IN MX backup.example.com.
    present @ 60 IN MX 10 mail
    present @ 60 IN MX 20 backup
    rebuild @ MX
    - 300 10 mail.example.com.
    - 300 20 backup.example.com.
    + 60 10 mail.example.com.
    + 60 20 backup.example.com.
doubled in two spellings
    @ 300 IN TXT "text"
    @ 300 IN TXT text
    present @ IN TXT other
    extend @ TXT
      300 "text"
    + 300 "other"
not understood stays
    www 300 IN A not-an-address
    present www IN A 192.0.2.1
    extend www A
      300 not-an-address
    + 300 192.0.2.1
not understood is put back
    www 300 IN A not-an-address
    present www 60 IN A 192.0.2.1
    rebuild www A
    - 300 not-an-address
    + 60 not-an-address
    + 60 192.0.2.1
cname replaces another type in one plan
    www 300 IN A 192.0.2.1
    absent www IN A
    present www IN CNAME target
    delete www A
    - 300 192.0.2.1
    create www CNAME
    + 3600 target.example.com.
cname is replaced in one plan
    www 300 IN CNAME target
    present www IN A 192.0.2.1
    present www IN AAAA 2001:db8::1
    absent www IN CNAME
    create www A
    + 3600 192.0.2.1
    create www AAAA
    + 3600 2001:db8::1
    delete www CNAME
    - 300 target.example.com.
cname beside others already is no reason to refuse
    www 300 IN CNAME target
    www 300 IN A 192.0.2.1
    present www IN A 192.0.2.2
    extend www A
      300 192.0.2.1
    + 300 192.0.2.2
cname above other names
    www.ftp 300 IN A 192.0.2.1
    present ftp IN CNAME target
    create ftp CNAME
    + 3600 target.example.com.
cname beside what signs it
    www 300 IN RRSIG a-signature
    www 300 IN NSEC a.example.com. CNAME RRSIG NSEC
    present www IN CNAME target
    create www CNAME
    + 3600 target.example.com.
"""


@pytest.mark.parametrize("live, desired, expected", cases(PLANS))
def test_plan(live, desired, expected):
    assert shown(plan(ZONE, zone(APEX + live), desired_sets(desired))) == lines(expected)


REFUSED = """
cname beside live data
    www 300 IN A 192.0.2.1
    present www IN CNAME target
    > www.example.com. would hold a CNAME beside A, but a CNAME must be alone at its name
data beside a live cname
    www 300 IN CNAME target
    present www IN A 192.0.2.1
    > www.example.com. would hold a CNAME beside A, but a CNAME must be alone at its name
a signature does not excuse others
    www 300 IN RRSIG a-signature
    www 300 IN TXT text
    www 300 IN AAAA 2001:db8::1
    present www IN CNAME target
    > www.example.com. would hold a CNAME beside AAAA, TXT, but
a value of the other stays
    www 300 IN A 192.0.2.1
    www 300 IN A 192.0.2.2
    absent www IN A 192.0.2.1
    present www IN CNAME target
    > www.example.com. would hold a CNAME beside A
second cname
    www 300 IN CNAME target
    present www IN CNAME other
    > www.example.com. CNAME can hold only one value, but would hold target.example.com. and other.example.com.: set
    > exclusive to true (for an owner, takeover) to replace the old one, or replaces to a glob that matches it
mx preference would be lost by a ttl
    @ 300 IN MX mail.example.com.
    @ 300 IN MX backup.example.com.
    present @ 60 IN MX 10 mail
    > example.com. MX must be rebuilt, but the service does not show the preference of backup.example.com.:
    > list that value with its preference
mx preference would be lost by a removal
    @ 300 IN MX mail.example.com.
    @ 300 IN MX backup.example.com.
    absent @ IN MX mail
    > example.com. MX must be rebuilt, but the service does not show the preference of backup.example.com.
"""


@pytest.mark.parametrize("live, desired, reason", cases(REFUSED))
def test_plan_refused(live, desired, reason):
    with pytest.raises(PlanRefused) as refusal:
        plan(ZONE, zone(APEX + live), desired_sets(desired))
    assert str(refusal.value).startswith(" ".join(reason.splitlines()))


SPF_2 = (
    'replaces (v=spf2*, v=spf3*) matches nothing in www.example.com. TXT, so "v=spf1 mx" is added beside the old values: '
    "is it spelled correctly?"
)


@pytest.mark.parametrize(
    "live, globs, warnings",
    [
        (
            'www 300 IN TXT "v=spf1 -all"',
            ("v=spf2*", "v=spf3*"),
            [SPF_2],
        ),  # the others need no change, or match
        ('www 300 IN TXT "v=spf1 -all"', ("v=spf1*",), []),
        ('www 300 IN TXT "v=spf1 mx"', ("v=spf2*",), []),
        ("", ("v=spf2*",), []),
    ],
)
def test_globs_of_replaces_that_match_nothing_are_told_of(live, globs, warnings):
    desired = [replace(desired_sets('present www IN TXT "v=spf1 mx"')[0], replaces=globs)]
    assert [*plan(ZONE, zone(APEX + live), desired).warnings] == warnings


TWO_TTLS = """
    www 300 IN A 192.0.2.1
    www 60  IN A 192.0.2.2
    www 900 IN A 192.0.2.3
"""
OF_TWO_TTLS = """
there
    present www IN A 192.0.2.1
exactly there
    exactly www IN A 192.0.2.1
    exactly www IN A 192.0.2.2
    exactly www IN A 192.0.2.3
ttl 60
    present www 60 IN A 192.0.2.1
    rebuild www A
    - 300 192.0.2.1
      60 192.0.2.2
    - 900 192.0.2.3
    + 60 192.0.2.1
    + 60 192.0.2.3
ttl 7
    present www 7 IN A 192.0.2.1
    rebuild www A
    - 300 192.0.2.1
    - 60 192.0.2.2
    - 900 192.0.2.3
    + 7 192.0.2.1
    + 7 192.0.2.2
    + 7 192.0.2.3
one more has the lowest
    present www IN A 192.0.2.4
    extend www A
      300 192.0.2.1
      60 192.0.2.2
      900 192.0.2.3
    + 60 192.0.2.4
one goes, and the others have the lowest
    absent www IN A 192.0.2.1
    rebuild www A
    - 300 192.0.2.1
      60 192.0.2.2
    - 900 192.0.2.3
    + 60 192.0.2.3
one more with ttl
    present www 60 IN A 192.0.2.4
    rebuild www A
    - 300 192.0.2.1
      60 192.0.2.2
    - 900 192.0.2.3
    + 60 192.0.2.1
    + 60 192.0.2.3
    + 60 192.0.2.4
"""


@pytest.mark.parametrize("live, desired, planned", cases(OF_TWO_TTLS, TWO_TTLS))
def test_a_set_whose_rows_have_two_ttls(live, desired, planned):
    assert shown(plan(ZONE, zone(live), desired_sets(desired))) == lines(planned)


def test_two_ttls_are_seen_however_the_values_are_written():
    live = zone("www 300 IN AAAA 2001:DB8:0::1\nwww 60 IN AAAA 2001:db8::2")
    assert plan(ZONE, live, desired_sets("present www IN AAAA 2001:db8::1")).changes == ()
    (change,) = plan(ZONE, live, desired_sets("present www 60 IN AAAA 2001:db8::1")).changes
    assert (change.action, change.before and change.before.higher_ttls) == (
        "rebuild",
        (("2001:db8::1", 300),),
    )


# What a task says of SOA and of NS at the apex, where the zone holds APEX.
SAME_AS_THERE = {
    "as it is": "exactly @ 86400 IN SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5",
    "in other spelling": "present @ IN SOA NS1.example.net hostmaster.EXAMPLE.net. 1 2 3 4 5",
    "with the serial of another day": "exactly @ IN SOA ns1.example.net. hostmaster.example.net. 2026010100 2 3 4 5",
    "all NS": "exactly @ 86400 IN NS ns2.example.net.\nexactly @ 86400 IN NS ns1.example.net",
    "one of the NS": "present @ IN NS NS1.example.net.",
}
OTHER_THAN_THERE = {
    "another SOA": (
        "exactly @ IN SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 60",
        "never written: the zone holds ns1.example.net. hostmaster.example.net. 1 2 3 4 5 (TTL 86400), but the task",
    ),
    "another TTL": (
        "exactly @ 60 IN SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5",
        "but the task says ns1.example.net. hostmaster.example.net. 1 2 3 4 5 (TTL 60); leave it out",
    ),
    "another NS": (
        "present @ IN NS ns3.example.net.",
        "holds ns1.example.net., ns2.example.net. (TTL 86400), but the task says ns3.example.net.; leave it out",
    ),
}


@named_rows("desired", SAME_AS_THERE)
def test_what_is_said_of_the_services_own_is_no_change_where_it_is_so(desired):
    planned = plan(ZONE, zone(APEX), desired_sets(desired), pruning())
    assert (planned.changes, planned.unchanged) == ((), 1)


@named_rows("desired, reason", OTHER_THAN_THERE)
def test_what_is_said_of_the_services_own_is_refused_where_it_is_not_so(desired, reason):
    with pytest.raises(PlanRefused, match=re.escape(reason)):
        plan(ZONE, zone(APEX), desired_sets(desired))


def test_what_the_service_does_not_show_is_never_written():
    with pytest.raises(PlanRefused, match="the zone holds nothing, but the task says ns1"):
        plan(ZONE, {}, desired_sets("present @ IN NS ns1.example.net."))


DOUBTS = {  # the zone, what is wanted, and which relative name the zone knows in place of the absolute one
    "a name server below its own delegation": ("", "present sub IN NS ns1.sub", "ns1.sub"),
    "no change, and a doubt all the same": (
        "sub 300 IN NS ns1.sub.",
        "present sub IN NS ns1.sub",
        "ns1.sub",
    ),
    "a host that comes": ("", "present www IN CNAME a.lab\npresent a.lab IN A 192.0.2.1", "a.lab"),
    "a host that goes": (
        "a.lab 300 IN A 192.0.2.1",
        "present www IN CNAME a.lab\nabsent a.lab IN A",
        "a.lab",
    ),
    "parameters appended": (
        "web.lab 300 IN A 192.0.2.1",
        "exactly @ IN HTTPS 1 web.lab alpn=h2",
        "web.lab",
    ),
    "an internationalized name": (
        "a.bücher 300 IN A 192.0.2.1",
        "present www IN CNAME a.bücher",
        "a.xn--bcher-kva",
    ),
    "a host of others": ("", "present www IN CNAME mail.example.net", None),
    "hosts of others below what the zone has": (
        "net 300 IN A 192.0.2.1\ndev 300 IN NS ns1.example.net.\n*.app 300 IN A 192.0.2.1",
        "present a IN CNAME mail.example.net\npresent b IN CNAME x.pages.dev\npresent c IN CNAME x.y.app",
        None,
    ),
    "a wildcard of the whole zone": (
        "* 300 IN A 192.0.2.1",
        "present @ IN MX 10 mail.example.net",
        None,
    ),
    "a final dot": ("a.lab 300 IN A 192.0.2.1", "present www IN CNAME a.lab.", None),
    "the zone itself, and the root": (
        "",
        "present @ IN MX 10 @\npresent _x._tcp IN SRV 0 0 0 .",
        None,
    ),
    "a value that goes": (
        "a.lab 300 IN A 192.0.2.1\nx 300 IN CNAME a.lab.",
        "absent x IN CNAME a.lab",
        None,
    ),
}


@named_rows("live, desired, relative", DOUBTS)
def test_a_host_without_final_dot_that_the_zone_knows_is_doubted(live, desired, relative):
    warnings = plan(ZONE, zone(APEX + live), desired_sets(desired)).warnings
    message = f", but the zone has {relative}.example.com.: write the one that you mean, with"
    assert [message in warning for warning in warnings] == ([True] if relative else [])


def test_a_doubt_names_the_host():
    (warning,) = plan(ZONE, zone(APEX), desired_sets("present sub IN NS NS1.sub")).warnings
    assert warning.startswith("sub.example.com. NS: NS1.sub is taken as the absolute name NS1.sub.")


def test_what_is_wanted_can_bring_its_own_default_ttl():
    one = replace(desired_sets("present www IN A 192.0.2.1")[0], default_ttl=60)
    assert shown(plan(ZONE, {}, [one])) == lines("""
        create www A
        + 60 192.0.2.1
    """)
    assert shown(plan(ZONE, zone("www 300 IN A 192.0.2.2"), [one])) == lines("""
        extend www A
          300 192.0.2.2
        + 300 192.0.2.1
    """)


def test_a_set_that_is_shown_without_values_is_there_and_can_be_deleted():
    shown = RecordSet("www.example.com.", "A", 300, ())
    (change,) = plan(ZONE, {shown.key: shown}, [Desired("www.example.com.", "A")]).changes
    assert (change.before, change.after) == (shown, None)


@pytest.mark.parametrize(
    "removed, is_told", [("77 m.example.net.", True), ("m.example.net.", False)]
)
def test_a_mail_host_that_goes_although_its_preference_is_not_shown_is_told(removed, is_told):
    desired = desired_sets(f"absent @ IN MX {removed}")
    found = plan(ZONE, zone("@ 300 IN MX m.example.net."), desired)
    assert [change.after for change in found.changes] == [None]
    assert ("a host is removed whatever its preference" in str(found.warnings)) is is_told
