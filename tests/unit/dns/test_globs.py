# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which zones a glob matches."""

import pytest

from ansible_collections.zonesmith.dns.plugins.module_utils._dns.globs import ZoneGlobs


@pytest.mark.parametrize(
    "glob, name, meets",
    [
        ("Example.com.", "example.com.", True),
        ("xn--*", "bücher.example.", True),
        ("BÜ*.example", "xn--bcher-kva.example", True),
        ("www[0-9].*", "www1.example.com", True),
        ("example.com", "notexample.com", False),
        ("a..b", "a..b", True),
        ("", "example.com", False),
    ],
)
def test_globs_of_zones(glob, name, meets):
    assert ZoneGlobs([glob]).match(name) is meets
    assert ZoneGlobs(["no", glob]).unmatched([name]) == {0, *([] if meets else [1])}
