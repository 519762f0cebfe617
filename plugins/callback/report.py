# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writes a report of what a run did to zones, or would do in check mode."""

from __future__ import annotations

DOCUMENTATION = r"""
name: report
type: notification
short_description: Write a report of what a run did to zones, or would do
version_added: 1.0.0
description:
  - Gathers the results of all tasks of this collection's modules in a run, over all plays and hosts, and writes them as
    a page to read, as Markdown for a pull request, or as JSON for machines. It works beside any stdout callback.
  - A zone is failed, changed, unchanged, or would change in check mode. One that several tasks or hosts touch is one
    zone. The worst of its states counts, and its changes are told in order.
  - A zone without changes whose SOA or own NS are not as the task says is "not ours to write", since the service alone
    writes them. One of the account that M(zonesmith.dns.dns_zones) has no file for is unmanaged.
  - Zones that M(zonesmith.dns.dns_zones) had not looked at, because another one could not be kept, have no state. A
    warning names them.
  - In it are the changes as lines of a zone file, findings, what was recovered of interrupted runs, warnings and
    failures. A failure that the playbook ignored or rescued is told as such.
  - A task whose C(failed_when) says that it failed because check mode found a change is drift. Its zone would change.
  - Hosts that were unreachable, plays that were not begun and tasks that were left in the background are told as well,
    and so are tasks of others that failed, where tasks of this collection may have been left undone after them. A run
    that is interrupted with Ctrl-C has a report that says so, and names the tasks of this collection that had begun and
    had not ended.
  - The headline counts as failed the zones that did, the tasks of this collection that failed and name no zone, and
    those that failed behind C(no_log). Tasks that were interrupted are counted beside them.
  - Of a task with C(no_log) the report says that it is hidden, and nothing else. Options of tasks, and with them
    tokens, are never in it.
  - What zones hold cannot become markup, a link or a script in any of the forms. Characters that cannot be seen are
    written as escapes.
author:
  - The zonesmith.dns contributors (@zonesmith)
options:
  output:
    description:
      - The files to write, at the end of the run. The ending tells the form, C(.html), C(.md) or C(.json). Without any,
        there is no report.
      - A relative path begins where C(ansible-playbook) is started. V(~) is the home of the user. Folders that are
        missing are made.
      - A file of an earlier run stays until then, because a playbook may read it. It also stays where the playbook
        cannot be parsed, because Ansible begins no callback before.
      - A file is replaced as a whole, and has the mode that the umask leaves. One that cannot be written is a warning,
        and never fails the run.
      - C(.html) is one file without outside parts. It shows the first 500 lines of a task's changes to a zone and
        50,000 in all, and counts the others.
      - C(.md) has at most 65,000 bytes, so that a comment on GitHub can hold it, with some lines around it. What does
        not fit is counted.
      - C(.json) has everything. The guide "Drift as a nightly job" describes its fields.
    type: list
    elements: str
    default: []
    env:
      - name: ZONESMITH_REPORT
    ini:
      - section: callback_zonesmith_report
        key: output
  hook:
    description:
      - The URL of a web hook that is sent one line of JSON at the end of the run, with or without files. It is the
        headline of the report as C(text), its counts, the zones of which there is something to say with their states,
        and C(links) to the job and the commit where GitHub Actions, GitLab CI or Jenkins tell them. The guide "Drift as
        a nightly job" describes its fields.
      - It has no values of records, and no messages, unless O(hook_records) is set.
      - It must be C(https), or lead to this machine. Redirects are not followed, V(~/.netrc) is not read, and proxies
        of the environment are used.
      - The hook is waited for 5 seconds. One that cannot be told is a warning, and never fails the run. The warning
        names its host alone, since the rest of such a URL is often a secret.
      - Several playbooks in one C(ansible-playbook) are one run.
    type: str
    env:
      - name: ZONESMITH_REPORT_HOOK
    ini:
      - section: callback_zonesmith_report
        key: hook
  hook_records:
    description:
      - Whether O(hook) is also sent what tasks did to these zones, with all values, findings, warnings and failures, as
        C(tasks) of each zone and as the report as JSON has it. Of zones that would make a line of more than a million
        characters C(tasks) is null.
    type: bool
    default: false
    env:
      - name: ZONESMITH_REPORT_HOOK_RECORDS
    ini:
      - section: callback_zonesmith_report
        key: hook_records
requirements:
  - Python >= 3.11, as ansible-core has it on the controller
  - enabling it in C(callbacks_enabled), or with E(ANSIBLE_CALLBACKS_ENABLED)
seealso:
  - module: zonesmith.dns.dns_records
  - module: zonesmith.dns.dns_record
"""

EXAMPLES = r"""
# ansible.cfg, or ANSIBLE_CALLBACKS_ENABLED=zonesmith.dns.report ZONESMITH_REPORT=report.html,report.md,report.json
ansible.cfg: |
  [defaults]
  callbacks_enabled = zonesmith.dns.report

  [callback_zonesmith_report]
  output = report.html, report.md, report.json

# or, without files, ANSIBLE_CALLBACKS_ENABLED=zonesmith.dns.report ZONESMITH_REPORT_HOOK=https://chat.example.com/hooks/SECRET
ansible.cfg with a hook: |
  [defaults]
  callbacks_enabled = zonesmith.dns.report

  [callback_zonesmith_report]
  hook = https://chat.example.com/hooks/SECRET
"""

import atexit
import os
from collections.abc import Callable, Iterable
from typing import Any

from ansible import context
from ansible.plugins.callback import CallbackBase
from ansible.utils.path import unfrackpath

from ansible_collections.zonesmith.dns.plugins.module_utils._run.files import replace_file
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.gather import Gathering
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.hook import (
    InvalidHook,
    as_line,
    checked_hook,
    links_of,
    send,
)
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.html import as_html
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.json import as_json
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.markdown import as_markdown
from ansible_collections.zonesmith.dns.plugins.plugin_utils.report.model import Report

FORMS = {".html": as_html, ".htm": as_html, ".md": as_markdown, ".markdown": as_markdown, ".json": as_json}
"""What makes the text of a file, by the ending of its name."""


class UnknownForm(Exception):
    """The ending of a file's name tells no form."""


def form_of(path: str) -> Callable[[Report], str]:
    """What the ending of *path* tells, one of FORMS. Raises UnknownForm."""
    ending = os.path.splitext(path)[1].lower()
    if ending not in FORMS:
        raise UnknownForm(f"{path} is not written: a report ends in .html, .md or .json")
    return FORMS[ending]


def write_all(report: Report, paths: Iterable[str]) -> list[str]:
    """Write the report to each of *paths*, whose forms are known; why it could not be written to some, a line each."""
    troubles, texts = [], {form: form(report) for form in map(form_of, paths)}
    for path in paths:
        try:
            write(path, texts[form_of(path)])
        except OSError as error:
            troubles.append(f"the report cannot be written to {path}: {error.strerror or error}")
    return troubles


def write(path: str, text: str) -> None:
    """Write *text* to *path*, which has the old text or the new one at any time, and its folder. Raises OSError."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.lexists(folder):
        os.makedirs(folder, exist_ok=True)
    replace_file(path, text.encode())


class CallbackModule(CallbackBase):
    """What Ansible calls: it hands on to Gathering, and writes at the end."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "zonesmith.dns.report"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._paths: list[str] = []
        self._hook = ""
        self._gathering = Gathering()
        self._process = os.getpid()

    def set_options(self, *arguments: Any, **options: Any) -> None:
        """Take the options, and see which files and hook can be used; without any, Ansible calls no more."""
        super().set_options(*arguments, **options)
        names = (str(name).strip() for name in self.get_option("output") or [])
        for path in (unfrackpath(name, follow=False) for name in names if name):
            try:
                form_of(path)
            except UnknownForm as error:
                self._display.warning(f"zonesmith.dns.report: {error}")
            else:
                self._paths.append(path)
        try:
            hook = (self.get_option("hook") or "").strip()
            self._hook = checked_hook(hook) if hook else ""
        except InvalidHook as error:
            self._display.warning(f"zonesmith.dns.report: the hook is not told of this run: {error}")
        self.disabled = not (self._paths or self._hook)

    def v2_playbook_on_start(self, playbook: Any) -> None:
        """A playbook begins; there can be several."""
        if not self._gathering.report.playbooks:
            # Ctrl-C, and errors outside of tasks, end Ansible without a word to its callbacks.
            atexit.register(self._end_early)
        self._gathering.playbook(playbook)

    def v2_playbook_on_play_start(self, play: Any) -> None:
        """A play begins, or a batch of its hosts."""
        self._gathering.play(play)

    def v2_runner_on_start(self, host: Any, task: Any) -> None:
        """A task begins on a host."""
        self._gathering.began(host, task)

    def v2_runner_item_on_ok(self, result: Any) -> None:
        """An item of a loop that went well."""
        self._gathering.item(result, failed=False)

    def v2_runner_item_on_failed(self, result: Any) -> None:
        """An item of a loop that failed."""
        self._gathering.item(result, failed=True)

    def v2_runner_retry(self, result: Any) -> None:
        """A try that is made again."""
        self._gathering.tried(result)

    def v2_runner_on_ok(self, result: Any) -> None:
        """A task that went well."""
        self._gathering.ended(result, failed=False)

    def v2_runner_on_skipped(self, result: Any) -> None:
        """A task that was skipped, after its items where it had some."""
        self._gathering.skipped(result)

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        """A task that failed."""
        self._gathering.ended(result, failed=True, ignored=bool(ignore_errors))

    def v2_runner_on_unreachable(self, result: Any) -> None:
        """A host that is not there."""
        self._gathering.unreachable(result)

    def v2_playbook_on_stats(self, stats: Any) -> None:  # noqa: ARG002 - Ansible's own
        """A playbook has ended."""
        self._gathering.playbook_ended()
        self._write()
        if len(self._gathering.report.playbooks) >= len(context.CLIARGS.get("args") or ()):
            self._tell()

    def _end_early(self) -> None:
        # A fork that ends is no end of the run.
        if os.getpid() != self._process:
            return
        if not self._gathering.report.is_complete:
            self._write()
        self._tell()

    def _tell(self) -> None:
        """Tell the hook, once."""
        hook, self._hook = self._hook, ""
        if not hook:
            return
        with_records = bool(self.get_option("hook_records"))
        line = as_line(self._gathering.finished(), links_of(os.environ), with_records=with_records)
        if trouble := send(hook, line):
            self._display.warning(f"zonesmith.dns.report: {trouble}")

    def _write(self) -> None:
        for trouble in write_all(self._gathering.finished(), self._paths):
            self._display.warning(f"zonesmith.dns.report: {trouble}")
