# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A Python that is too old for the modules; that each of them asks is in test_dns_record.py."""

import json
import sys

import pytest
from ansible.module_utils import basic

from ansible_collections.zonesmith.dns.plugins.module_utils import _python


@pytest.fixture
def called(monkeypatch):
    """A module that is called with a token."""
    arguments = {"access_token": "secret", "_ansible_check_mode": True}
    monkeypatch.setattr(
        basic, "_ANSIBLE_ARGS", json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
    )
    monkeypatch.setattr(basic, "_ANSIBLE_PROFILE", "legacy", raising=False)


@pytest.mark.usefixtures("called")
def test_one_that_is_too_old_is_named(monkeypatch, capsys):
    monkeypatch.setattr(_python.sys, "version_info", (3, 9, 18))
    with pytest.raises(SystemExit):
        _python.end_where_too_old()
    result = json.loads(capsys.readouterr().out)
    assert result["failed"]
    assert result["msg"] == (
        f"zonesmith.dns needs Python 3.10 or newer where its modules run, and {sys.executable} is Python 3.9. "
        "Set ansible_python_interpreter to a newer one."
    )
    assert "secret" not in str(result)


@pytest.mark.parametrize("version", [(3, 10), (3, 10, 0), (3, 13, 1), (4, 0, 0)])
def test_others_are_not(version, monkeypatch):
    monkeypatch.setattr(_python.sys, "version_info", version)
    _python.end_where_too_old()
