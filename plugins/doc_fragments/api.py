# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options that modules share, each documented once."""

from __future__ import annotations


class ModuleDocFragment:
    """Documentation of the options in module_utils/_run/options.py."""

    # Connection: every module.
    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The URL of the service's API, such as V(https://dns.example.com/api). If not set, E(ZONESMITH_BASE_URL) is used.
      - Must be C(https), unless the host is loopback or O(allow_insecure_http=true).
    type: str
  access_token:
    description:
      - The Bearer token of the account. If not set, E(ZONESMITH_ACCESS_TOKEN) is used.
      - It appears in no message, result, log or state, in any encoding.
      - A token shorter than 12 characters is refused, except for a loopback host, since Ansible would mask it in zone
        data too.
    type: str
  validate_certs:
    description:
      - Whether to verify the service's TLS certificate. Use V(false) for tests only, since anyone can then get the
        token.
    type: bool
    default: true
  ca_path:
    description:
      - A file with the CA certificates to trust, or a folder prepared with C(openssl rehash).
      - If not set, E(REQUESTS_CA_BUNDLE) is used, else E(CURL_CA_BUNDLE), else the certificates that come with
        requests.
    type: path
  allow_insecure_http:
    description:
      - Whether to allow plain C(http) in O(base_url) for hosts other than loopback. Anyone on the network path can then
        read the token.
    type: bool
    default: false
  timeout:
    description:
      - Seconds to wait for a connection, and between two parts of an answer.
      - A whole answer may take ten times as long, and have at most 64 MiB (decoded) and 4,000,000 values.
    type: float
    default: 30.0
  retries:
    description:
      - How often to retry a request after a connection error, a timeout, a broken answer, or a status of 408 or 500 to
        599. Throttled requests get more tries, see O(retry_timeout). V(0) turns off both.
      - The waits double, up to 60 seconds, and respect C(Retry-After). A longer C(Retry-After) ends the task.
      - After a lost answer, the zone is read before anything is sent again. If a write does not show at once, the zone
        is read again for up to 16 seconds, whatever this option says.
    type: int
    default: 5
  retry_timeout:
    description:
      - Seconds to keep retrying a throttled request (409, 423, 425, 429 or 503), besides O(retries).
      - A value of a set that is deleted and incomplete gets ten times as long, whatever the failure. Then the task
        tries to restore the previous set.
      - While the service throttles, the task's other requests wait. Then it goes on more slowly.
    type: float
    default: 120.0
  lock_timeout:
    description:
      - Seconds to wait while another run writes to the zone, 0 to 86400. Then the task fails, and says which run holds
        the lock, and since when.
      - A task with nothing to change waits only if an earlier run was interrupted. Modules that only read never wait.
    type: float
    default: 600.0
notes:
  - An option takes precedence over its environment variable. Variables are looked up in the keyword C(environment),
    then in the environment of C(ansible-playbook) on the controller, then where the module runs.
  - Do not put the token into the keyword C(environment). C(-vvv) can show it.
  - A relative path starts at the playbook's folder on a local connection, and elsewhere in the folder where remote
    commands start, usually the home folder.
  - Proxies are taken from E(HTTPS_PROXY), E(HTTP_PROXY) and E(NO_PROXY), except for loopback hosts. C(~/.netrc) is not
    read, and redirects are not followed.
  - On a local connection the module runs inside Ansible's worker, with the same result. Loops then share a connection,
    and read a zone again only after a write, after ten seconds, or on a retry by C(until) or C(retries). With another
    connection, C(become), C(async), another Python interpreter or shell, macOS, or the variable C(zonesmith_direct) set
    to V(false), it runs in its own process.
  - After the time of the keyword C(timeout), the worker starts no further request, but those under way may still take
    effect.
requirements:
  - Python >= 3.10, where the module runs
  - requests >= 2.28.1
  - urllib3 >= 1.26.18
  - dnspython >= 2.6.1
"""

    # Waiting: modules that write to zones.
    WAIT = r"""
options:
  wait:
    description:
      - Whether to wait until every name server of the zone answers as the task wants, even if nothing changed. Use it,
        for example, before an ACME server looks for a challenge. Check mode does not wait.
      - A server must answer with the wanted values and TTL, and without the removed values. Additional values count as
        wrong only if the task is exclusive or removes the set. A wildcard may answer in place of a removed set. TTLs
        from a cache do not count.
      - Sets that were pruned, removed by the type C('*') or completed for an interrupted run are waited for only in
        that run.
      - The servers are not asked for SOA, NS at the apex, DNSSEC data, types such as ALIAS that DNS does not know, and
        names below a delegation other than its name servers.
      - The servers of the zone's NS record set are asked directly, on port 53. One correct address of each is enough.
      - These servers must be host names. Their loopback, link-local, multicast and reserved addresses are not asked,
        since anybody who writes to the zone could choose them. Use O(wait_nameservers) for such servers.
      - A zone without NS records, or with a server that does not exist, is an error before anything is written. A
        server inside the zone may get its address later.
    type: bool
    default: false
  wait_timeout:
    description:
      - Seconds after the change until the task fails if a name server still answers otherwise, above 0 and at most
        86400. The change stays.
      - Before the change, looking up the servers takes at most 5 seconds.
    type: float
    default: 120.0
  wait_nameservers:
    description:
      - Name servers to ask in place of the zone's own, as host names or addresses with an optional port, such as
        V(ns1.example.net), V(192.0.2.53:5300) or V([2001:db8::53]:5300).
      - An invalid entry, or a host that does not exist, is refused before anything is written.
    type: list
    elements: str
"""

    # Safety: modules that write to zones.
    WRITING = r"""
options:
  txt_format:
    description:
      - How to send TXT values. They are always compared by their text, so V("v=spf1 " "-all") and V(v=spf1 -all) are
        the same value.
      - V(plain) sends the text itself, unless it could be mistaken for quoted text or is not printable. V(quoted) sends
        zone-file form, in chunks of at most 255 bytes.
      - V(auto) quotes if the zone shows its TXT values in quotes. Otherwise, it sends plain text, and quotes if the
        service refuses that.
      - With V(auto), a set with a value that comes back wrong, such as cut at a C(;), is rebuilt in the other form,
        with a warning. O(state_dir) remembers the form that works.
      - If every allowed form comes back wrong, the task fails, and the wrong value stays until a task removes it.
    type: str
    choices:
      - auto
      - plain
      - quoted
    default: auto
  findings:
    description:
      - What to do if the change brings in something that the service accepts and the internet does not, such as an MX
        host without an address. The rules of P(zonesmith.dns.findings#filter) judge the zone as it would be after the
        change. Earlier problems do not count.
      - V(warn) warns of each C(error) and C(warning). V(error) fails before anything is written if there is an
        C(error). V(off) turns the rules off.
    type: str
    choices:
      - 'off'
      - warn
      - error
    default: warn
  findings_ignore:
    description: Findings to leave out.
    type: list
    elements: dict
    default: []
    suboptions:
      rule:
        description: A glob for the rule. A glob that matches no rule is an error.
        type: str
        default: '*'
      name:
        description:
          - A glob for the owner name, relative to the zone or absolute. If it matches no name, a warning says so,
            unless it begins with an underscore.
        type: str
        default: '*'
  service_owned:
    description:
      - What to do if the zone's SOA, or the NS at its apex, differ from the task. The service owns both, so no task
        writes them.
      - V(warn) warns and returns the differences, even if nothing changed. V(error) fails before anything is written.
        V(ignore) says nothing. If not set, a zone file gives a warning, and an entry an error.
      - For a zone file, the values of the NS and the SOA's primary server and mailbox are compared. For an entry, all
        is compared except the SOA's serial. Sets that C(ignore) matches are not compared.
    type: str
    choices:
      - warn
      - error
      - ignore
  fail_on_changes:
    description:
      - Whether to fail in check mode if anything would change, or if O(service_owned) or C(unmanaged) have something to
        report, so that a drift job turns red. It has no effect in a real run.
      - The result is that of check mode, with C(differs=true). The report counts it as a change. Ansible shows no diff
        of it.
    type: bool
    default: false
"""

    # State: modules that write to zones, and the one that tells who owns what.
    STATE = r"""
options:
  state_dir:
    description:
      - A folder for the lock and the state of each zone. Keep it, and share it between all runs of a controller.
      - From the state, the next run completes the sets of an interrupted run, whatever C(protect), C(only) or
        C(plan_dir) say. After seven days it only warns. The state also keeps TTLs that the service replaced, its form
        of TXT values, MX preferences that it does not show, plans that were carried out, and the ledger of owners.
      - Missing folders are created with mode 0700. A folder or file is refused if it is a link, belongs to another user
        or can be written by others.
      - If not set, E(ZONESMITH_STATE_DIR) is used, as a path on the host where the module runs.
    type: path
    default: ~/.ansible/zonesmith
  state_url:
    description:
      - A PostgreSQL database for locks and states in place of O(state_dir), as
        C(postgresql://USER:PASSWORD@HOST/DATABASE), with libpq's parameters such as C(?sslmode=verify-full). Use it if
        the machine does not outlast the run, as in CI and AWX, or if several machines write to one zone.
      - The guide on state describes how to set it up. A connection pooler does not work, since the lock belongs to the
        session.
      - Each changed zone is announced on the channel C(zonesmith), as the guide on drift describes.
      - If not set, E(ZONESMITH_STATE_URL) is used. Not allowed together with O(state_dir). Needs psycopg 3.1 or later
        where the module runs.
    type: str
"""

    # Teams: modules that write to zones.
    OWNER = r"""
options:
  owner:
    description:
      - The team or program that the task works for, if several write to one zone. 1 to 64 letters, digits and C(._@/-).
        All owners must share the O(state_dir) or O(state_url), whose ledger records the values of each.
      - The listed values replace only this owner's values, and C(prune) removes only this owner's values. All others
        stay, also in the same set.
      - A value without an owner, such as one added by hand, goes only with C(replaces), with C(state=absent), or in a
        task without an owner.
      - Before anything is written, the task is refused if it would remove another owner's value, put a CNAME beside its
        records or other records beside its CNAME, or change its CNAME or the TTL of a shared set. A CNAME without an
        owner is not replaced either. O(takeover) allows all this.
      - A value of several owners goes when the last of them drops it. A task that sets no TTL uses theirs.
      - Listed values that exist become this owner's (C(adopted)). C(changed) stays V(false).
      - If the ledger is missing, damaged or does not know the owner, nothing is pruned, with a warning.
      - A task without an owner may not delete or rebuild a set with an owner's values. C(prune) skips such sets with a
        warning.
      - If not set, E(ZONESMITH_OWNER) is used. An empty name is refused.
    type: str
  takeover:
    description:
      - Whether to take over other owners' values. The listed values become this owner's alone, and records that
        conflict with them go.
      - Without O(owner), the task may delete and rebuild sets of owners. The ledger keeps their values, so their next
        tasks restore them.
      - Use it for a single run. Otherwise, two owners take records from each other forever.
    type: bool
    default: false
  release:
    description:
      - Whether the owner gives up the listed values. Nothing is written to the zone. A warning names sets in which the
        owner has no values.
    type: bool
    default: false
  on_drift:
    description:
      - What to do if somebody else changed this owner's values.
      - V(overwrite) restores missing values and the TTL. V(refuse) fails before anything is written and names the sets.
      - Added values are not drift, nor are changes of the task itself.
    type: str
    choices:
      - overwrite
      - refuse
    default: overwrite
"""

    # Whole zones: dns_records and dns_zones. What this says of a zone holds for each zone by itself.
    ZONES = r"""
options:
  ttl:
    description:
      - The TTL of sets that have none of their own, in seconds or with units such as V(5m) or V(1h30m). For a zone file
        it acts as a C($TTL) before the first line.
      - If not set, an existing set keeps its TTL and a new one gets 3600. In a zone file, a record without a TTL gets
        that of the last C($TTL), else that of the record before. The first record needs one, unless it is an SOA, whose
        last number then counts.
      - A warning says if a set ends up with another TTL although nothing sets it, or if the service keeps another TTL
        than it was sent. O(state_dir) remembers the latter for the next run.
    type: raw
  prune:
    description:
      - Whether to remove the record sets of the zone that the task does not list.
      - SOA, the NS at the apex, and sets that O(ignore) matches stay. So do the records that sign the zone, which are
        RRSIG, NSEC, NSEC3 and NSEC3PARAM at any name, and DNSKEY, CDS, CDNSKEY, ZONEMD and TYPE65534 at the apex.
      - If the service refuses to delete a set, the others are still pruned and the task fails at the end. A set that
        comes back gives a warning.
      - A warning says if all sets of the zone (more than one) are pruned, unless the task has O(only) or O(prune_limit)
        is V(100).
    type: bool
    default: false
  ignore:
    description:
      - Record sets to leave untouched, such as those that the service creates by itself. Listing one of them is an
        error.
      - A set matches by its name, its type and one of its values.
      - A warning names an entry that matches nothing, in the zone or in the task. Names that begin with an underscore
        are exempt, since records such as V(_acme-challenge) come and go.
    type: list
    elements: dict
    default: []
    suboptions:
      name:
        description:
          - A glob for the owner name, relative (V(@) for the apex) or absolute. V(*) matches dots too, and V(\\*) is
            DNS's own wildcard. A glob that can match no name in the task's zones is an error.
        type: str
        default: '*'
      type:
        description:
          - A glob for the type. A misspelled type such as V(MXX), or several in one such as V(MX,TXT), is an error.
        type: str
        default: '*'
      value:
        description:
          - A glob for a value. One match, in the zone or in the task, is enough for the whole set.
          - It is compared as in O(zonesmith.dns.dns_record#module:replaces). Without wildcards, any spelling of a value
            matches.
        type: str
        default: '*'
  prune_limit:
    description:
      - Fail before anything is written if O(prune) would remove more than this percentage of the sets that it may
        remove. Zones with fewer than 10 such sets have no limit. V(100) turns the limit off.
      - Pruning with no records wanted at all fails in zones of any size, unless this is V(100).
    type: int
    default: 30
  protect:
    description:
      - Record sets that may be created and extended, but not deleted or rebuilt. A task that would have to do so fails
        before anything is written. Entries match as in O(ignore), by the values in the zone.
      - This also holds for what others write during the task, except in the seconds (at most ten) between the last read
        and a deletion.
    type: list
    elements: dict
    default: []
    suboptions: &globs
      name: {type: str, default: '*', description: "As O(ignore[].name)."}
      type: {type: str, default: '*', description: "As O(ignore[].type)."}
      value: {type: str, default: '*', description: "As O(ignore[].value)."}
  change_limit:
    description:
      - Fail before anything is written if more than this percentage of the zone's sets would be deleted or rebuilt, not
        counting SOA and the NS at the apex. Zones with fewer than 10 sets have no limit. V(100) turns the limit off.
    type: int
    default: 100
  only:
    description:
      - The record sets that the task is about, such as a team's part of the zone. If empty, it is about the whole zone.
        All others stay untouched, and listing one is an error.
      - O(prune), O(prune_limit), O(change_limit), O(findings), O(service_owned) and warnings see only these sets.
        Conflicts such as a CNAME beside other records are looked for in the whole zone.
      - Entries match as in O(ignore), by the values that the task lists. If the zone has a set of that name and type
        that does not match, the task fails before anything is written. V(*.shop) matches every name below C(shop), but
        not C(shop).
    type: list
    elements: dict
    default: []
    suboptions: *globs
  ttl_max:
    description:
      - The highest TTL that listed sets may have. Use it to shorten answers before a host moves.
      - Entries match as in O(ignore), by what the set is to hold. If several match, the lowest counts. Lowering a TTL
        rebuilds the set, so O(protect) and O(change_limit) apply.
      - C(cached) and C(cached_until) tell how long resolvers may keep the old answers.
    type: list
    elements: dict
    default: []
    suboptions:
      <<: *globs
      ttl:
        description: The highest TTL, in seconds or with units such as V(5m).
        type: raw
        required: true
  plan_dir:
    description:
      - A folder of reviewed plans, on the host where the module runs. Check mode writes the changes of each zone to
        C(<plan_dir>/<zone>.json), with C(%2F) for C(/), or removes the file if there are none. A real run writes
        nothing to any zone unless its changes equal the plan. A missing file is a plan without changes.
      - The same zone and task give the same bytes, so you can commit and compare plans. What an interrupted run has
        already done does not count as a difference while its state is available.
      - If others make further changes necessary during the run, it leaves them and fails at the end.
      - A plan can be applied only once. For 600 days, one whose result no longer stands is refused. If check mode finds
        the same changes again, the file counts them in C(again).
      - Check mode first removes the old plan of each zone, so give each task on a zone its own folder.
    type: path
  concurrency:
    description:
      - How many requests to have under way at once, over all zones, V(auto) or 1 to 64. The sets of one owner name are
        always written one after the other.
      - V(auto) starts with 8, rises up to 64 as long as that brings more answers a second, and falls if the service
        slows down or answers 429 or 503.
    type: str
    default: auto
"""
