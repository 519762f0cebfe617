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
      - Must be C(https), unless the host is loopback or O(allow_insecure_http) is V(true).
    type: str
  access_token:
    description:
      - The Bearer token of the account. If not set, E(ZONESMITH_ACCESS_TOKEN) is used.
      - The collection never writes it to messages, results, logs or the state, in any encoding. The guide on security
        lists where it can still be seen.
      - Unless the host is loopback, a token of fewer than 12 characters is refused, because Ansible would redact the
        same characters in zone data.
    type: str
  validate_certs:
    description:
      - Whether to verify the service's TLS certificate. With V(false), anyone on the network path can read the token.
    type: bool
    default: true
  ca_path:
    description:
      - A file with the CA certificates to trust, or a folder prepared with C(openssl rehash).
      - If not set, E(REQUESTS_CA_BUNDLE) is used, else E(CURL_CA_BUNDLE), else the certificates that requests uses (the
        Python package certifi).
    type: path
  allow_insecure_http:
    description:
      - Whether to allow plain C(http) for hosts other than loopback. Anyone on the network path can then read the
        token.
    type: bool
    default: false
  timeout:
    description:
      - Seconds to wait for a connection, and for each part of an answer.
      - A whole answer may take ten times as long, and have at most 64 MiB (decoded) and 4,000,000 values.
    type: float
    default: 30.0
  retries:
    description:
      - How often to retry a request (read or write) after a connection error, a timeout, a broken answer, or a status
        of 408 or 500 to 599 (except 503). V(0) turns off O(retry_timeout) too.
      - The wait doubles with each retry, up to 60 seconds, and is never shorter than C(Retry-After). A C(Retry-After)
        above 60 seconds is an error that says when to run the task again, except for requests that add values to a
        deleted set (see O(retry_timeout)).
      - If a write gets no answer, the zone is read before the write is sent again. If a write does not show at once,
        the zone is read again for up to 16 seconds, whatever this option says.
    type: int
    default: 5
  retry_timeout:
    description:
      - Seconds to keep retrying a throttled request (status 409, 423, 425, 429 or 503), in addition to O(retries).
      - After any temporary failure, requests that add values to a deleted set are retried for longer, up to ten times
        as long, and wait for as long as C(Retry-After) asks within that time. When that time is over, the task tries to
        restore the previous set if the service answers and has stored none of the new values. Otherwise, or if that
        fails, the next run completes the set.
      - If the service refuses a value, the task tries to restore the previous set at once.
      - While the service throttles, the task's other requests wait. Afterwards, the task goes on more slowly.
    type: float
    default: 120.0
  lock_timeout:
    description:
      - Seconds to wait while another run writes to the zone, 0 to 86400. After that time, the task fails and says which
        run holds the lock, and since when.
      - A task with nothing to change waits only if an earlier run was interrupted.
      - M(zonesmith.dns.dns_zone_info) and M(zonesmith.dns.dns_zone_files) take no lock, so they never wait.
    type: float
    default: 600.0
notes:
  - An option that has no value (V(null), an empty text or an empty list), as an unset variable gives it, is an error,
    unless its description says what empty means. To leave an option out by a template, use C(omit). An environment
    variable of this collection that is set but empty is an error too, and so is a path such as V($PLANS) whose variable
    is empty.
  - An option takes precedence over its environment variable. Variables are looked up in the keyword C(environment),
    then in the environment of C(ansible-playbook) on the controller, then where the module runs.
  - Do not put the token into the keyword C(environment), because C(-vvv) can show it.
  - On a local connection, a relative path starts in the playbook's folder. Otherwise, it starts where remote commands
    start, usually in the home folder.
  - Proxies are taken from E(HTTPS_PROXY), E(HTTP_PROXY) and E(NO_PROXY), except for loopback hosts. C(~/.netrc) is not
    read, and redirects are not followed.
  - On a local connection, the module runs in Ansible's worker, so the items of a loop share a connection. Items of
    M(zonesmith.dns.dns_record) and M(zonesmith.dns.dns_records) also share a snapshot of the zone. An item reads the
    zone again only after a write, or if the snapshot is of another zone or older than ten seconds (one second if the
    item changes or deletes record sets). If Ansible repeats a task (keywords C(until) and C(retries)), every attempt
    reads the zone.
  - The module runs in its own process on macOS, with C(ANSIBLE_KEEP_REMOTE_FILES), with C(become) or C(async), with
    another Python interpreter or shell, with a keyword C(environment) that sets variables which the collection does
    not use, or with the variable C(zonesmith_direct) set to V(false). The results are the same.
  - When the keyword C(timeout) ends a task, no further request is sent, but those under way may still take effect.
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
      - Whether to wait until every name server of the zone answers as desired, even if nothing changed. Check mode does
        not wait, but looks up the name servers, and fails where the real run would.
      - A server must answer with the desired values, with the desired TTL if the task sets one, and without the removed
        values. Further values count as wrong only if the task lists or removes the whole set. After a removal, a
        wildcard's answer is right, too. If a server answers from a cache, such as a resolver in O(wait_nameservers),
        the TTL is not compared.
      - The task also waits for sets that it pruned, removed with C(type='*') (M(zonesmith.dns.dns_record) only), or
        completed after an interruption.
      - The servers are not asked about SOA, NS at the apex, the zone's DNSSEC records, types such as ALIAS that DNS
        does not know, or names below a DNAME. At or below a delegation, they are asked only about the NS and DS records
        of the delegation, and about the addresses of its name servers.
      - The servers in the zone's NS record set are asked directly, on port 53. It is enough if each server answers
        correctly at one of its addresses.
      - Loopback, link-local, multicast and reserved addresses are not asked, because anyone who can write to the zone
        could choose them. Use O(wait_nameservers) for servers with such addresses.
      - Without O(wait_nameservers), the task fails before anything is written if the zone has no NS records. It also
        fails if a name server in them does not exist, is not a host name, or has only addresses that are not asked. It
        does not fail if the task itself creates the address of a name server inside the zone.
    type: bool
    default: false
  wait_timeout:
    description:
      - Seconds to wait after the change, more than 0 and at most 86400. Then the task fails, but the change stays.
      - Before the change, the task looks up the servers for at most 5 seconds.
    type: float
    default: 120.0
  wait_nameservers:
    description:
      - Name servers to ask instead of the zone's own, as host names or addresses with an optional port, such as
        V(ns1.example.net), V(192.0.2.53:5300) or V([2001:db8::53]:5300).
      - An invalid entry, or a host that does not exist, is refused before anything is written. An empty list is as if
        the option were not set.
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
      - V(plain) sends the text itself, unless it looks like quoted text or is not printable. V(quoted) sends zone-file
        form, in chunks of at most 255 bytes.
      - V(auto) sends quoted form if the zone shows all its TXT values in quotes. Otherwise, it sends plain text, or
        quoted form if the service refuses plain text.
      - If a value comes back wrong, for example cut at a C(;), V(auto) rebuilds the set in the other form, with a
        warning. The state (see O(state_dir)) remembers the form that works.
      - If every allowed form comes back wrong, the task fails, and the wrong value stays until a task removes it.
    type: str
    choices: [auto, plain, quoted]
    default: auto
  findings:
    description:
      - What to do about mistakes that the change brings in and the service accepts, such as an MX host without an
        address. The rules of P(zonesmith.dns.findings#filter) judge the zone as it would be after the change. Earlier
        mistakes do not count.
      - V(warn) warns about findings with the severity C(error) or C(warning). V(error) fails before anything is written
        if a finding has the severity C(error). V(off) turns the rules off.
    type: str
    choices: ['off', warn, error]
    default: warn
  findings_ignore:
    description: Findings to leave out. An empty list leaves none out.
    type: list
    elements: dict
    default: []
    suboptions:
      rule: {type: str, default: '*', description: A glob for the rule. A glob that matches no rule is an error.}
      name: {type: str, default: '*', description: "A glob for the owner name, relative to the zone or absolute."}
  service_owned:
    description:
      - What to do if SOA, or NS at the apex, differs from the task. The service owns both, so no task writes them.
      - V(warn) warns and returns the differences, even if nothing changed. V(error) fails before anything is written.
        V(ignore) does neither. If not set, a difference from a zone file is a warning, and a difference from a task's
        own values is an error.
      - For a zone file, the task compares the values of the NS, and the primary server and mailbox of the SOA. For a
        task's own values, it compares everything except the serial of the SOA. Sets that C(ignore) matches are not
        compared.
    type: str
    choices: [warn, error, ignore]
  fail_on_changes:
    description:
      - Whether to fail in check mode if anything would change, or if O(service_owned) or the C(unmanaged) of
        M(zonesmith.dns.dns_zones) has something to report. It has no effect in a real run.
      - The failed task returns the results of check mode, with C(differs=true). P(zonesmith.dns.report#callback) counts
        the failure as a change.
    type: bool
    default: false
"""

    # State: modules that write to zones, and the one that tells who owns what.
    STATE = r"""
options:
  state_dir:
    description:
      - A folder for the lock and the state of each zone. Keep it between runs. All runs that write to a zone must use
        the same folder.
      - The next run uses the state to complete the sets that an interrupted run had deleted, whatever C(protect),
        C(only) or C(plan_dir) say. A run more than seven days later only warns.
      - The state also holds the plans that were applied, the ledger of owners, and what the service does not show, such
        as MX preferences.
      - A missing folder is created with mode 0700. A folder or file is refused if it is a link, belongs to another
        user, or is writable by other users. If something is to be written, check mode creates nothing, but fails where
        the real run could not save the state.
      - If not set, E(ZONESMITH_STATE_DIR) is used, as a path on the host where the module runs.
    type: path
    default: ~/.ansible/zonesmith
  state_url:
    description:
      - A PostgreSQL database for locks and states instead of O(state_dir), written as
        C(postgresql://USER:PASSWORD@HOST/DATABASE), optionally with libpq's parameters such as C(?sslmode=verify-full).
        Use it if the machine does not outlast the run, as in CI and AWX, or if several machines write to one zone.
      - The guide on state describes how to set it up. A connection pooler does not work, because the lock belongs to
        the session.
      - If not set, E(ZONESMITH_STATE_URL) is used. Not allowed together with O(state_dir). Needs psycopg 3.1 or later
        where the module runs.
    type: str
"""

    # Teams: modules that write to zones.
    OWNER = r"""
options:
  owner:
    description:
      - The team or program that the task works for, if several write to one zone. The name has 1 to 64 letters, digits
        and characters of C(._@/-). All owners must share the O(state_dir) or O(state_url), whose ledger records the
        values of each owner.
      - The listed values replace only this owner's values, and C(prune) removes only this owner's values. All other
        values stay, even in the same set.
      - A task with an owner removes a value that has no owner, such as one added by hand, only with C(replaces) or
        C(state=absent).
      - The task is refused before anything is written if it would remove another owner's value, change the TTL of a
        shared set, or replace a CNAME that is not this owner's. It is also refused if it would put a CNAME beside
        another owner's records, or a record beside another owner's CNAME. O(takeover) allows all of this.
      - A value of several owners is removed when the last of them drops it. If a task without a TTL recreates a set in
        which other owners have values, the set gets the TTL of these owners.
      - Listed values that are already in the zone become this owner's (result C(adopted)). This alone does not set
        C(changed).
      - If the ledger is missing or damaged, or does not know the owner, nothing is pruned, with a warning.
      - A task without an owner can remove values that have no owner, but may not delete or rebuild a set in which an
        owner has a value. C(prune) skips such sets with a warning.
      - If not set, E(ZONESMITH_OWNER) is used. An empty name is an error.
    type: str
  takeover:
    description:
      - Whether to take over other owners' values. The listed values become this owner's alone, and records that
        conflict with them are removed.
      - Without O(owner), the task may delete and rebuild sets of owners. The ledger keeps the owners' values, so the
        owners' next tasks restore them.
      - Use O(takeover) for a single run. Otherwise, two owners take records from each other forever.
    type: bool
    default: false
  release:
    description: Whether the owner gives up the listed values. The zone does not change.
    type: bool
    default: false
  on_drift:
    description:
      - What to do if somebody else changed this owner's values.
      - V(overwrite) restores missing values and the TTL. V(refuse) fails before anything is written and names the sets.
      - A value that somebody else added is not drift, and neither is a change to the task.
    type: str
    choices: [overwrite, refuse]
    default: overwrite
"""

    # Whole zones: dns_records and dns_zones. What this says of a zone holds for each zone separately.
    ZONES = r"""
options:
  ttl:
    description:
      - The TTL of sets that have none of their own, in seconds or with units such as V(5m) or V(1h30m). For a zone
        file, it acts as a C($TTL) before the first line.
      - If not set or empty, an existing set keeps its TTL and a new one gets 3600.
      - In a zone file, a record without a TTL gets the last C($TTL) or, if there is none, the TTL of the record before
        it. Without a C($TTL), the first record needs a TTL, unless it is an SOA, whose last number is then used.
      - If the service keeps another TTL than the one sent, a warning says so, and later runs do not try again.
    type: raw
  prune:
    description:
      - Whether to remove the record sets of the zone that the task does not list.
      - SOA, the NS at the apex, and sets that O(ignore) matches stay. So do the zone's DNSSEC records, which are RRSIG,
        NSEC, NSEC3 and NSEC3PARAM at any name, and DNSKEY, CDS, CDNSKEY, ZONEMD and TYPE65534 at the apex.
      - A set also stays if the service shows its name with escapes that may be octal, such as C(\052), with a warning.
      - If the service refuses to delete a set, the others are still pruned and the task fails at the end. A set that
        the service creates again gives a warning.
    type: bool
    default: false
  ignore:
    description:
      - Record sets to leave untouched, such as those that the service creates by itself. Listing one is an error. So is
        an empty list, as an unset variable gives it; leave the option out instead.
      - An entry matches a set if it matches the name, the type, and at least one value of the set, in the zone or in
        the task.
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
          - A glob for the type. A misspelled type such as V(MXX), or several types in one glob such as V(MX,TXT), is an
            error.
        type: str
        default: '*'
      value:
        description:
          - A glob for a value, compared as in O(zonesmith.dns.dns_record#module:replaces). Without wildcards, any
            spelling of a value matches.
        type: str
        default: '*'
  prune_limit:
    description:
      - Fail before anything is written if O(prune) would remove more than this percentage of the sets that it may
        remove. With fewer than 10 such sets, there is no limit. V(100) turns the limit off.
      - If the task lists no record sets at all, pruning fails in zones of any size, unless this is V(100).
    type: int
    default: 30
  protect:
    description:
      - Record sets that may be created and extended, but not deleted or rebuilt. A task that would have to delete or
        rebuild such a set fails before anything is written. Entries match as in O(ignore), but only by the values in
        the zone.
      - An empty list is an error, as with O(ignore).
      - This also protects values that others write during the task, except in the last seconds (rarely more than ten)
        before a deletion.
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
      - Whatever the limit, a warning says if more than 30% of the sets (of at least 10) are rebuilt, and how long
        resolvers may remember that a set was gone.
    type: int
    default: 100
  only:
    description:
      - The record sets that the task manages, such as a team's part of the zone. All other sets stay untouched, and
        listing one of them is an error. If not set, the task manages the whole zone. An empty list is an error.
      - O(prune), O(prune_limit), O(change_limit), O(findings), O(service_owned) and warnings see only these sets.
        Conflicts such as a CNAME beside other records are looked for in the whole zone.
      - Entries are written as in O(ignore). A set that the task lists must match with one of the listed values and, if
        the zone has the set already, with one of its values in the zone. Otherwise, the task fails before anything is
        written. Any other set is matched by its values in the zone.
      - V(*.shop) matches every name below C(shop), but not C(shop).
    type: list
    elements: dict
    default: []
    suboptions: *globs
  ttl_max:
    description:
      - The highest TTL that listed sets may have. Lower it before a host moves, so that resolvers soon ask again.
      - Entries match as in O(ignore), but by the values that the set will have. If several match, the lowest TTL
        counts. Lowering a TTL rebuilds the set, so O(protect) and O(change_limit) apply. An empty list is an error.
      - The results C(cached) and C(cached_until) tell how long resolvers may keep the old answers.
    type: list
    elements: dict
    default: []
    suboptions:
      <<: *globs
      ttl: {type: raw, required: true, description: "The highest TTL, in seconds or with units such as V(5m)."}
  plan_dir:
    description:
      - A folder of reviewed plans, on the host where the module runs. An empty path is an error, since the task would
        write without a review.
      - Check mode first removes the old plan of each zone. If there are changes, it writes them to
        C(<plan_dir>/<zone>.json), with C(%2F) for C(/). So give each task on a zone its own folder.
      - A real run writes nothing to any zone unless the changes of every zone equal its plan. A missing file is a plan
        without changes.
      - The same zone and task give the same bytes, so you can commit and compare plans. As long as the zone's state is
        available, what an interrupted run has already done does not count as a difference.
      - If somebody else writes to the zone during the run, and more changes become necessary than the plan has, the run
        leaves the additional changes out and fails at the end.
      - A plan can be applied only once. Until 100 newer plans have been applied to the zone, a run with the same plan
        fails if it would change anything, such as a set that somebody has changed back. If check mode finds the same
        changes again, it writes a new plan with a count in C(again).
    type: path
  concurrency:
    description:
      - How many requests may be under way at once, for all zones together, as V(auto) or a number from 1 to 64. The
        sets of one owner name are always written one after the other.
      - V(auto) starts with 8, rises up to 64 while answers take no longer than before, and falls if they do, or if the
        service does not answer, or answers 429 or 5xx.
    type: str
    default: auto
"""
