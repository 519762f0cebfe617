# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The options that all modules share, so that one ``module_defaults`` group can set them for all."""

from __future__ import annotations


class ModuleDocFragment:
    """Documentation of OPTIONS in module_utils/_module.py."""

    DOCUMENTATION = r"""
options:
  base_url:
    description:
      - The URL under which the service's paths begin, such as V(https://dns.example.com/api).
      - Only C(https) is used, except for a loopback host or with O(allow_insecure_http=true). Anything else is refused
        before the token is sent.
      - It has to be set, in the task, in C(module_defaults), or as the environment variable E(ZONESMITH_BASE_URL) of
        the controller, which is used where the option is not set. The notes tell more.
    type: str
  access_token:
    description:
      - The token that the service knows the account by, sent as a Bearer token.
      - It is shown in no message, result or log, and is not in what is kept of a zone, also where the service repeats
        it as URLs, HTML, JSON or base64 have it.
      - A token of fewer than 12 characters is refused, except for a loopback host. It could be guessed, and Ansible
        would mask it wherever it is a word of the zone's data.
      - It has to be set, in the task, in C(module_defaults), or as the environment variable E(ZONESMITH_ACCESS_TOKEN)
        of the controller, which is used where the option is not set. The notes tell more.
    type: str
  validate_certs:
    description:
      - Whether the service's TLS certificate must be valid. Set it to V(false) for tests only, since the token is then
        sent to whoever answers.
    type: bool
    default: true
  ca_path:
    description:
      - A file with the certificates of the authorities to trust, or a folder prepared with C(openssl rehash).
      - On a local connection a relative path is one in the playbook's folder. On others, it is one in the folder where
        commands begin there, which mostly is the user's home.
      - Without it, the authorities that come with the Python library requests are trusted, or in their place those in
        the file or folder that the environment variable E(REQUESTS_CA_BUNDLE) names, or else E(CURL_CA_BUNDLE). With
        this option neither counts.
    type: path
  allow_insecure_http:
    description:
      - Whether O(base_url) may be plain C(http) for a host that is not a loopback address. The token can then be read
        by everybody on the way.
    type: bool
    default: false
  timeout:
    description:
      - Seconds to wait for a connection, and between two parts of an answer, in each request.
      - A whole answer may take ten times as long, which a large zone can need. It may have at most 64 MiB, decoded, and
        at most 4,000,000 values. A larger one fails the task, and is not read to its end.
    type: float
    default: 30.0
  retries:
    description:
      - How often a request is tried again after a failure that may pass, which is a connection error, a time-out, a
        broken answer, or one of the answers 408 and 500 to 599. A request that the service throttles is tried again
        besides, and so is a value of a set that is deleted and not yet created again, see O(retry_timeout).
      - The waits between tries double, with jitter. They are longer than the service asks for in C(Retry-After), and
        never longer than 60 seconds. A longer C(Retry-After) ends the task.
      - After an answer that got lost, the zone is read again, and a value that has arrived is not sent a second time.
      - A service may show a write only after some seconds. Where it does not show one, the zone is read again for up to
        16 seconds before anything is concluded, whatever this option says.
      - With V(0) nothing is tried again at all, also no request that the service throttles.
    type: int
    default: 5
  retry_timeout:
    description:
      - How many seconds a request that the service throttles (429, 409, 423, 425, 503) is tried again, besides
        O(retries). Ten times as long for a value of a set that is deleted and not yet created again, whatever the
        failure is.
      - The time is that of each request, and begins when it is throttled or fails first. No wait begins that would end
        later. Where a value of a deleted set cannot be created in its time, what the set held is tried, without more
        time than any other request.
      - While the service throttles requests, the others of the task wait, and one at a time looks whether it takes them
        again, after this number of seconds at the latest unless the service asks for more. Each waits for that as long
        as it would be tried itself, counted from the last answer. After a 409 or 423 one value or set is written at a
        time, to the end of the task. After a 429 requests are sent one after the other, at a pace that the service
        took before.
      - A 409 or 423 can be a refusal as well, of a value that is there for instance. Before each further try the zone
        is read, and what has arrived is not sent again. Any other refusal with such a status fails after this time.
    type: float
    default: 120.0
  lock_timeout:
    description:
      - Seconds to wait for another run that writes to the zone, 0 to 86400. Then the task fails, and says on which
        host the other run is, its process, and since when it holds the lock.
      - A task that has nothing to change waits only if an earlier run was cut short, and the zone's log has to say that
        this is over, or has to keep what somebody has added to a set that a deletion without an answer may still take.
      - With V(0) there is no wait. A module that only reads accepts it and does not use it.
    type: float
    default: 600.0
notes:
  - The variables of the environment that options name are those of C(ansible-playbook) on the controller, wherever the
    module runs, on another host or with C(become) too. What the keyword C(environment) sets for a task comes first,
    and a variable that neither has can be set where the module runs. An option counts before all of them.
  - Do not put the token into C(environment). Where Ansible starts a process for the module, it shows with C(-vvv) what
    that keyword sets.
  - Proxies are taken from the environment variables E(HTTPS_PROXY), E(HTTP_PROXY) and E(NO_PROXY); a loopback host is
    reached without. The file C(~/.netrc) is not read. Redirects are not followed.
  - On a local connection the module runs inside Ansible's own worker, so a loop costs no Python start an item, shares
    one connection, and reads a zone again only after a write or ten seconds, or where C(until) or C(retries) has it
    try again. The result is that of the module in a process of its own, which is what runs on other connections and
    those that are derived from the local one, with C(become) from wherever, with C(async), under another Python
    interpreter or shell, on macOS, and wherever the variable C(zonesmith_direct) is V(false).
  - Where Ansible writes to a terminal, a wait of more than five seconds is told there, and again each time it has
    doubled. That is a wait for the lock of another run, with who holds it, for a service that throttles, is down or
    slow, with which try of how many, for what was written to be shown, and for name servers. A module in a process of
    its own cannot write to the terminal, and tells nothing before its end.
  - On Ctrl-C, the record sets that are deleted and not whole again are told in the same way. The next run on the zones
    completes them from their log.
  - When the time that the keyword C(timeout) gives to a task is over, no further request begins in Ansible's own
    worker. What was under way may still be carried out, and what a record set then lacks is completed by the next run
    from the zone's log.
requirements:
  - Python >= 3.10, where the module runs
  - requests >= 2.28.1
  - urllib3 >= 1.26.18
  - dnspython >= 2.6.1
"""

    WAIT = r"""
options:
  wait:
    description:
      - Whether to wait until every name server of the zone answers with what the task wants, whether or not it has
        changed anything. Needed, for example, before an ACME server looks at a challenge. In check mode there is no
        wait.
      - The values that are to be there must be answered, and those that are to go must not. Others do not matter where
        the set may hold others. Where the set is to be gone, or to hold exactly these values, there must be no others,
        but for what a wildcard of the zone answers in its place.
      - The TTL must be answered where the task has one. It is the TTL that the service shows, and it does not count in
        an answer without authority, as caches give it.
      - What an earlier run had left incomplete and this one completed is waited for too, and so is what this one has
        pruned, or removed as one of all types (C('*')). The next run does not know of that any more, as nobody lists
        it.
      - The zone's own SOA and NS, what signs it, and types that DNS does not know, such as ALIAS, are not asked for. Of
        what is below a delegation only the addresses of its name servers are. A server that has the delegated zone too
        answers for that one, which is enough.
      - Each server is asked once for each set that the task lists, 32 questions at a time, and again only for what it
        does not answer as it should. Where an answer takes 20 ms, that is a second for 500 sets on two servers.
      - The servers of the zone's own NS record set are asked directly, on port 53. A server that has several addresses
        counts once one of them answers as it should.
      - Since whoever can write to the zone may choose these names, they must be host names, and an address that is
        loopback, link-local, multicast or reserved is not asked. Addresses of private networks are. Use
        O(wait_nameservers) for all others.
      - A zone without NS records, a name that is none, and a host that does not exist are errors before anything is
        written. Only a host inside the zone may get its address later.
    type: bool
    default: false
  wait_timeout:
    description:
      - Seconds after which the task fails if a name server still answers something else, or nothing, above 0 and at
        most 86400. They begin after the change. What was changed stays changed.
      - The servers' addresses are looked up before the change, for 5 seconds at most. Those that are not known by then
        are looked up again in this time.
    type: float
    default: 120.0
  wait_nameservers:
    description:
      - The name servers to ask in place of those of the zone's NS record set, as host names or addresses, each with or
        without a port, such as V(ns1.example.net), V(192.0.2.53:5300) or V([2001:db8::53]:5300).
      - What is neither a host name nor an address is refused before the first request, and a host that does not exist
        before anything is written.
    type: list
    elements: str
"""

    # The options of modules that write.
    WRITING = r"""
options:
  txt_format:
    description:
      - How the values of TXT records are sent.
      - With V(auto), in quotes where the zone's present TXT values are shown in quotes. Otherwise V(plain), and if the
        service refuses that and does not show it, once more V(quoted), and V(quoted) from then on.
      - With V(auto), a value that comes back wrong, cut at a C(;) or with its quotes as part of the text, is noticed.
        What came of it is taken out, for which the set is deleted and created again, and the other form is used, with a
        warning. It is remembered in O(state_dir) and comes first from then on.
      - A text that is sent in quotes in either form, such as one that begins with a blank, cannot be created where the
        service keeps the quotes. Once that is known of it, a task that would have to create one fails before it writes.
      - Where neither form comes back right, or V(plain) or V(quoted) does not, the task fails and names this option.
        The wrong value stays in the set until a task removes it.
      - With V(plain), as the text itself. A text that could be taken for a quoted one, or that cannot be printed, is
        sent in quotes all the same.
      - With V(quoted), in zone-file form, in chunks of at most 255 bytes.
      - Whatever is sent, values are compared by their text. V("v=spf1 " "-all") and V(v=spf1 -all) are one value.
    type: str
    choices:
      - auto
      - plain
      - quoted
    default: auto
  findings:
    description:
      - What to do where a change brings into the zone what is legal for the service and wrong for the internet, such as
        an MX whose host has no address, a CNAME that leads in a circle, or two SPF records. The zone is judged as it
        would be after the change, by the rules of P(zonesmith.dns.findings#filter). What was wrong before is not held
        against the task.
      - With V(warn), a warning for each finding whose severity is C(error) or C(warning).
      - With V(error), the task fails before anything is written where there is one whose severity is C(error).
      - With V(off), nothing is judged.
      - Either way a task that changes nothing judges nothing.
      - A rule that cannot judge what a service shows is a warning that names it, also with V(error), and no finding.
    type: str
    choices:
      - 'off'
      - warn
      - error
    default: warn
  findings_ignore:
    description:
      - Findings that nobody wants to hear of.
    type: list
    elements: dict
    default: []
    suboptions:
      rule:
        description:
          - A glob for the rule. One that no rule matches is an error.
        type: str
        default: '*'
      name:
        description:
          - A glob for the owner name, relative to the zone or absolute. A warning tells of one that matches no name of
            the zone, or with many zones of any, but for one that begins with an underscore.
        type: str
        default: '*'
  service_owned:
    description:
      - What is told where the SOA of the zone, or the NS at its own name, are not as the task says. Both belong to the
        service and are never written, so nothing that the task does makes the two alike.
      - Of a zone file, the values of the NS are compared, and of the SOA the primary name server and the mailbox. TTLs,
        the serial and the timers are not, since the service keeps its own. What C(ignore) matches is not
        compared, and where a file says nothing of them, there is nothing to compare.
      - Of an entry, all that it says is compared, save the serial of the SOA.
      - With V(warn) it is a warning, and stands in the result and in the report, also where nothing else has changed.
      - With V(error) the task fails before anything is written, and names the sets.
      - With V(ignore) nothing is told.
      - If not set, it is V(warn) for a zone file, which often has them from elsewhere, and V(error) for an entry, which
        asks for what never comes.
    type: str
    choices:
      - warn
      - error
      - ignore
  fail_on_changes:
    description:
      - Whether the task fails in check mode where it would change something, so that a job that only looks is red where
        a zone is not as wanted. So it does where O(service_owned) tells of something, and where C(unmanaged) does.
      - The message names the zones and sets, and the result is that of check mode besides, with C(differs) as V(true).
        Ansible shows no difference of a task that failed. The report counts it as a change, and as no failure.
      - In a real run it is of no effect.
    type: bool
    default: false
"""

    # Where locks, and what is kept of zones, are.
    STATE = r"""
options:
  state_dir:
    description:
      - A folder for the lock and the state of each zone. The state is one file. It has the zone's log, from which the
        next run completes what an interrupted one has left. It is written to only when there is something to write or
        to complete.
      - The state also has the TTLs that the service keeps in place of others, the form of TXT values that it takes, the
        preferences of mail hosts that it does not show, and the reviewed plans that were carried out. Where tasks have
        an C(owner), the ledger of what is whose is there too.
      - What an interrupted run has left is completed for seven days. After that a warning has it, and nothing is done.
      - It is made with mode 0700, and so are the folders above it that are missing. It is refused if it is a link, if
        it belongs to another user, or if others can write to it, and so is a file in it. It must outlast the run, and
        should be shared by all runs of one controller.
      - A state that no run can have written counts as empty, with a warning that says why. A run that writes puts the
        file aside, and says where.
      - On a local connection a relative path is one in the playbook's folder. On others, it is one in the folder where
        commands begin there, which mostly is the user's home.
      - If not set, the environment variable E(ZONESMITH_STATE_DIR) is used, of the controller. The path that it has is
        one where the module runs, as whom it runs there. The notes tell more.
    type: path
    default: ~/.ansible/zonesmith
  state_url:
    description:
      - A PostgreSQL database for locks and states, in place of O(state_dir), as
        C(postgresql://USER:PASSWORD@HOST/DATABASE). For runs whose machine does not outlast them, such as jobs of CI
        and pods of AWX, and for several machines that write to one zone.
      - The lock is one of the session, so it ends with its holder, whatever happens to that; there is none to break by
        hand. A run whose connection is lost takes the lock again if nobody had it meanwhile. It stops before its next
        request to the service if somebody had, and finishes no more than the record sets that it has already deleted if
        the database is out of reach.
      - The table C(zonesmith.zone) is made on first use, for which the role needs the right to create in the database.
        A role that only uses it needs C(USAGE) on the schema C(zonesmith), and C(SELECT), C(INSERT) and C(UPDATE) on
        the table.
      - What a newer version of the collection has written there, an older one does not read. It says so, and changes
        nothing.
      - Who listens on its channel C(zonesmith) is told of each zone that a run changed, or would change in check mode,
        such as a rulebook with C(eda.builtin.pg_listener). The guide "Drift as a nightly job" describes the payload.
      - It must not lead through a connection pooler, behind which a lock is not its holder's. What libpq knows can be
        part of it, such as C(?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem).
      - A database without a free slot for a session is waited for, up to O(lock_timeout).
      - What is in O(state_dir) is not looked at then, and O(state_dir) is not to be given as an option beside it.
      - Needs the Python library psycopg, in version 3.1 or newer, where the module runs.
      - If not set, the environment variable E(ZONESMITH_STATE_URL) is used, of the controller.
    type: str
"""

    # For whom a task speaks; of modules that write.
    OWNER = r"""
options:
  owner:
    description:
      - For whom the task speaks, where several teams write to one zone. A name of 1 to 64 letters, digits and
        characters of C(._@/-). What the tasks of an owner wanted last is kept in the ledger of the zone, value by
        value, with its state in O(state_dir) or O(state_url), which all owners have to share.
      - The task adds what it wants, removes of the sets that it names what this owner wanted before and wants no
        longer, and leaves all else in the zone alone, the values of other owners and those of nobody, also in a set
        that they share. So where a task says all values of a set, it says all that this owner has of it. A single value
        that a task says is added to what the owner has. What C(prune) removes is what the ledger has of sets that the
        task does not name, and nothing else; without C(prune) such sets stay.
      - A value of nobody stays also where somebody put it by hand in place of this owner's. What is missing is put back
        beside it. What somebody only added changes nothing, and the task does not tell of it. Such a value goes with
        C(replaces), with V(*) for all of them, by C(state=absent), or in a task without an owner.
      - To have a value or a set absent, or replaced, is said of what the zone holds, so the value goes if it is this
        owner's or nobody's.
      - What another owner has is refused before anything is written, with the name of that owner. That is to remove its
        value or a set in which it has one, to put a CNAME beside its records or the reverse, another CNAME than its
        own, and another TTL for a set that both share. A value that several owners want is of all of them, and goes
        when the last of them wants it no longer. A task that says no TTL takes that of the others.
      - A CNAME of nobody in whose place another one is wanted is refused too, as it would have to go.
      - What is wanted and there already becomes this owner's, which C(adopted) tells. A task that changes nothing but
        the ledger makes no request more than one that changes nothing, and C(changed) is V(false).
      - Where there is no ledger, because it is the first task or because it was lost, or where one makes no sense, it
        counts as empty with a warning. Nothing is pruned then, and C(unowned) tells how many sets are nobody's. The
        warning comes too where a ledger has nothing of this owner yet, which may be written otherwise than before.
      - A task without an owner keeps no ledger, and respects that of others. To delete or rebuild a set of which the
        zone holds a value of an owner is refused before anything is written, with the name of that owner. C(prune)
        leaves such a set alone, and a warning says so; another one tells of a value that is added to it. O(takeover)
        turns this off.
      - If not set, the environment variable E(ZONESMITH_OWNER) is used, of the controller. An empty one is refused.
    type: str
  takeover:
    description:
      - Whether what another owner has and O(owner) would be refused for becomes this owner's. The other's ledger
        forgets the value, or has the new TTL; what cannot be beside what the task wants goes. Values that the task
        wants and others have are then this owner's alone.
      - With it, a CNAME of nobody is replaced too.
      - In a task without O(owner) it lets the task delete and rebuild what owners have. Their ledger stays as it is, so
        their own next task finds the zone changed, and puts back what it wants.
      - It is for one run. In a task that stays so, two owners would take from each other for ever.
    type: bool
    default: false
  release:
    description:
      - Whether the owner gives up what the task names. Nothing is written to the zone, and nothing is pruned; the
        ledger forgets the sets, or where the task says single values of a set, those. C(released) tells the sets,
        and a warning those that the task names and the owner has nothing of.
      - What was given up is nobody's, until a task of another owner wants it.
    type: bool
    default: false
  on_drift:
    description:
      - What to do where somebody else has changed what this owner had left so, which C(changes) tells by C(because).
      - With V(overwrite) the task restores what it wants. What is missing is put back, and so is the TTL. A value that
        somebody put in its place stays beside it, as O(owner) tells.
      - With V(refuse) the task fails before anything is written, and names the sets. What is changed only because the
        task wants something else than before is no drift. Neither is a value that somebody only added.
    type: str
    choices:
      - overwrite
      - refuse
    default: overwrite
"""
