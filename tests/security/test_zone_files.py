# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Zone files that were made to take all time and all memory."""

import re
import resource
import subprocess
import sys

import pytest
from playing import collections_path

CPU_SECONDS = 10
MEMORY = 400 * 1024 * 1024

READ = """
import sys
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.file_text import InvalidZoneFile, Source
from ansible_collections.zonesmith.dns.plugins.module_utils._zonefile.zone_file import read_zone_parts

text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
try:
    sets = read_zone_parts([Source("the zone file", text)], "example.com.", place="the zone file").sets
    print(sum(len(one.values) for one in sets.values()), "values")
except InvalidZoneFile as error:
    print(error)
"""
TOO_MANY = "of the zone file cannot be used: the file has more than 1000000 records"
TOO_LONG = "of the zone file cannot be used: it has more than 270000 characters"
TTL = "$TTL 5\n"

FILES = {
    "one line of blanks": (f"a 5 IN ALIAS b{' ' * 300_000}c", f"line 1 {TOO_LONG}"),
    "a range without end": (f"{TTL}$GENERATE 1-99999999 n$ A 192.0.2.1", f"line 2 {TOO_MANY}"),
    "many ranges": (
        f"{TTL}$GENERATE 1-9 n$ A 192.0.2.1\n$GENERATE 1-999992 n$ A 192.0.2.1",
        f"line 3 {TOO_MANY}",
    ),
    "a range of large numbers": (
        f"{TTL}$GENERATE 0-{'9' * 4000}/{'9' * 4000} a TXT {'$-' * 2000}",
        "line 2 of the zone file cannot be used: $GENERATE takes a range such as",
    ),
    "a width of zeros": (
        f"{TTL}$GENERATE 1-2 a TXT ${{0,{'0' * 100_000}",
        "line 2 of the zone file cannot be used: after the $ of $GENERATE comes",
    ),
    "the widest, often": (
        f"{TTL}$GENERATE 1-2 a TXT {'${0,127,d}' * 100_000}",
        f"line 2 {TOO_LONG}",
    ),
    "lines of the widest": (
        TTL + f"$GENERATE 1-100000 n$ TXT {'${0,127,d}' * 20}\n" * 9,
        "9 lines of the zone file cannot be used: line 2: n$ TXT: $GENERATE makes more than",
    ),
    "long values, often": (
        f'{TTL}$GENERATE 1-1000000 n$ TXT "{" ".join(["x" * 250] * 15)}"',
        "line 2 of the zone file cannot be used: $GENERATE makes more than 67108864 characters in the file",
    ),
    "a TTL of a million digits": (f"a {'9' * 1_000_000}s A 192.0.2.1", f"line 1 {TOO_LONG}"),
    "parentheses": ("(" * 1_000_000, "line 1 "),
    "bad lines without end": (
        "x\n" * 1_000_000,
        "1000 lines of the zone file cannot be used: line 1: ",
    ),
    "a bad line that does not end": (f"a 5 A x (\n{'b 5 A 192.0.2.1' * 100_000}", "line 1 "),
    "values of one set": ("\n".join(f"a 5 TXT v{n}" for n in range(20_000)), "20000 values"),
    "an escape a letter": ("a 5 TXT " + r"\065" * 200_000, "line 1 "),
}
"""What each says: a file, and the beginning of what is said of it."""


def _within_limits():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.mark.any_core
@pytest.mark.parametrize("text, message", FILES.values(), ids=FILES)
def test_a_file_takes_little_time_and_memory(text, message):
    done = subprocess.run(
        [sys.executable, "-c", READ],
        check=False,
        capture_output=True,
        env={"PYTHONPATH": str(collections_path()), "LC_ALL": "C.UTF-8"},
        input=text.encode("utf-8", "surrogateescape"),
        preexec_fn=_within_limits,
    )
    assert (done.returncode, done.stderr.decode()[-500:]) == (0, "")
    without_record = re.sub(
        r"(?<= used: )\S+ [A-Z][A-Z0-9]*(\.\.\.)?: (?=it |after |the file |\$GENERATE )",
        "",
        done.stdout.decode(),
    )
    assert without_record.startswith(message)
    assert len(done.stdout) < 1000
