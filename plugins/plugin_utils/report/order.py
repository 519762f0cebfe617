# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a playbook has yet to do after one of its tasks, and so leaves undone on a host where that task fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

INCLUDES = ("include_role", "include_tasks")
"""What brings tasks that nobody knows before."""


def leaves_out(task: Any, plays: Sequence[Any], is_wanted: Callable[[Any], bool]) -> bool:
    """Whether a wanted task may come after *task*, which is in the first of *plays*, those that are left to do.

    What an include would bring is not known, and may be wanted. What stands in ``always`` of the same block is done.
    """
    after = [*_after(task, plays[0]), *plays[0].handlers, *plays[0].compile_roles_handlers()]
    for play in plays[1:]:
        after += [*play.compile(), *play.handlers]
    return any(is_wanted(one) or _includes(one) for one in _tasks(after))


def _after(task: Any, play: Any) -> Iterator[Any]:
    """The tasks and blocks after *task* in each block around it, then the blocks of the play after the outermost."""
    child, parent = task, task._parent
    while parent is not None:
        for part in ("block", "rescue", "always"):
            yield from _rest(child, getattr(parent, part, None) or ())
        child, parent = parent, parent._parent
    yield from _rest(child, play.compile())


def _rest(one: Any, listed: Iterable[Any]) -> Iterator[Any]:
    """What is listed after *one*; nothing where that is not among it. A copy of a task or block is the same one."""
    rest = iter(listed)
    if any(other._uuid == one._uuid for other in rest):
        yield from rest


def _tasks(listed: Iterable[Any]) -> Iterator[Any]:
    for one in listed:
        parts = [getattr(one, part, None) for part in ("block", "rescue", "always")]
        if parts[0] is None:
            yield one
        for part in parts:
            yield from _tasks(part or ())


def _includes(task: Any) -> bool:
    return str(task.action).rpartition(".")[2] in INCLUDES
