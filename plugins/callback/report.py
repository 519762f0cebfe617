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
  - Gathers the results of this collection's modules over all plays and hosts of a run, and writes them as a web page,
    Markdown or JSON. It works alongside any stdout callback.
  - The state of a zone is failed, changed, would change, owned by the service (SOA or the NS records at the apex
    differ), unmanaged or unchanged. The worst state of all tasks and hosts counts.
  - The report has changes as lines of a zone file, findings, recovered sets, warnings and failures, including ignored
    and rescued ones. In check mode, a task that would change something and fails because of C(failed_when) counts as
    drift, not as a failure.
  - The guide on drift describes the report in full.
  - Tasks with C(no_log) are hidden. Options, including tokens, are never reported. Zone data cannot become markup,
    links or scripts.
author:
  - The zonesmith.dns contributors (@zonesmith)
options:
  output:
    description:
      - The files to write at the end of the run. Their names must end in C(.html), C(.md) or C(.json). If empty, no
        file is written, with a warning if O(hook) is empty, too.
      - A relative path starts in the folder where C(ansible-playbook) is started, and V(~) is your home folder. Missing
        folders are created. A file that cannot be written gives a warning.
      - C(.html) is one file without external parts. It shows the first 500 lines of a task's changes to a zone, and
        50,000 lines in all. C(.md) has at most 65,000 bytes, which fits a comment on GitHub. Both count what they leave
        out.
      - C(.json) has everything.
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
      - The URL of a webhook, which gets one line of JSON at the end of the run. The line has the headline, the counts,
        and the zones with something to report, but no record value and no message of a task. The URL must be C(https),
        unless the host is loopback. Proxies from the environment are used.
    type: str
    env:
      - name: ZONESMITH_REPORT_HOOK
    ini:
      - section: callback_zonesmith_report
        key: hook
requirements:
  - Python >= 3.11, on the controller
  - enabling it in C(callbacks_enabled), or with E(ANSIBLE_CALLBACKS_ENABLED)
"""

EXAMPLES = r"""
# ansible.cfg, or ANSIBLE_CALLBACKS_ENABLED, ZONESMITH_REPORT and ZONESMITH_REPORT_HOOK in the environment
ansible.cfg: |
  [defaults]
  callbacks_enabled = zonesmith.dns.report

  [callback_zonesmith_report]
  output = report.html, report.md, report.json
  hook = https://chat.example.com/hooks/SECRET
"""

import atexit
import os
from collections.abc import Callable, Iterable
from typing import Any

from ansible import context
from ansible.plugins.callback import CallbackBase
from ansible.utils.path import unfrackpath

from ..module_utils._api.connection import InvalidConnection, checked_url
from ..module_utils._files.file import replace_file
from ..plugin_utils.report.gather import Gathering
from ..plugin_utils.report.hook import (
    as_line,
    links_of,
    send,
)
from ..plugin_utils.report.html import as_html
from ..plugin_utils.report.json import as_json
from ..plugin_utils.report.markdown import as_markdown
from ..plugin_utils.report.view import View, view_of

FORMS = {
    ".html": as_html,
    ".md": as_markdown,
    ".json": as_json,
}
"""Writers by file ending."""


def form_of(path: str) -> Callable[[View], str] | None:
    """The writer for *path*; None if no form has its ending."""
    _name, ending = os.path.splitext(path)
    return FORMS.get(ending.lower())


def write_all(view: View, paths: Iterable[str]) -> list[str]:
    """Write the report to *paths*, all of which have a form, and return a line for each that failed."""
    troubles = []
    for path in paths:
        form = form_of(path)
        try:
            replace_file(path, form(view).encode())
        except OSError as error:
            troubles.append(f"the report cannot be written to {path}: {error.strerror or error}")
    return troubles


class CallbackModule(CallbackBase):
    """Passes Ansible's events to Gathering, and writes at the end."""

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
        """Take the options. The callback is disabled if no file or hook is usable."""
        super().set_options(*arguments, **options)
        names = [str(name).strip() for name in self.get_option("output") or []]
        for name in names:
            if name:
                self._take_path(unfrackpath(name, follow=False))
        hook = (self.get_option("hook") or "").strip()
        if not hook and not any(names):
            self._warn("no report was written: set output or hook, or do not enable the callback")
        try:
            if hook:
                checked_url(hook, "hook")
                self._hook = hook
        except InvalidConnection as error:
            self._warn(f"the hook was not notified of this run: {error}")
        self.disabled = not (self._paths or self._hook)

    def _take_path(self, path: str) -> None:
        if form_of(path):
            self._paths.append(path)
        else:
            self._warn(f"{path} was not written: a report's name must end in .html, .md or .json")

    def _warn(self, text: str) -> None:
        self._display.warning(f"zonesmith.dns.report: {text}")

    def v2_playbook_on_start(self, playbook: Any) -> None:
        if not self._gathering.report.run.playbooks:
            # After Ctrl-C and errors outside tasks, Ansible calls no callback.
            atexit.register(self._end_early)
        self._gathering.playbook(playbook)

    def v2_playbook_on_play_start(self, play: Any) -> None:
        """A play, or a batch of its hosts, begins."""
        self._gathering.play(play)

    def v2_runner_on_start(self, host: Any, task: Any) -> None:
        self._gathering.began(host, task)

    def v2_runner_item_on_ok(self, result: Any) -> None:
        self._gathering.item(result, failed=False)

    def v2_runner_item_on_failed(self, result: Any) -> None:
        self._gathering.item(result, failed=True)

    def v2_runner_retry(self, result: Any) -> None:
        self._gathering.tried(result)

    def v2_runner_on_ok(self, result: Any) -> None:
        self._gathering.ended(result, failed=False)

    def v2_runner_on_skipped(self, result: Any) -> None:
        """A task was skipped, after its items if any."""
        self._gathering.closed(result)

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        self._gathering.ended(result, failed=True, ignored=bool(ignore_errors))

    def v2_runner_on_unreachable(self, result: Any) -> None:
        self._gathering.unreachable(result)

    def v2_playbook_on_stats(self, stats: Any) -> None:  # noqa: ARG002 - Ansible's own
        self._gathering.playbook_ended()
        self._write()
        if len(self._gathering.report.run.playbooks) >= len(context.CLIARGS.get("args") or ()):
            self._tell()

    def _end_early(self) -> None:
        # Not the end of a fork.
        if os.getpid() != self._process:
            return
        if not self._gathering.report.run.is_complete:
            self._write()
        self._tell()

    def _tell(self) -> None:
        """Notify the hook, once."""
        hook, self._hook = self._hook, ""
        if not hook:
            return
        line = as_line(view_of(self._gathering.finished()), links_of(os.environ))
        trouble = send(hook, line)
        if trouble:
            self._warn(trouble)

    def _write(self) -> None:
        for trouble in write_all(view_of(self._gathering.finished()), self._paths):
            self._warn(trouble)
