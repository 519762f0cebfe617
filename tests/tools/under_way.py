# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw docs/under_way.svg: how many requests are under way over time at four kinds of services.

The services are those of tests/service/simulated.py, in a time of their own, so that two runs draw the same picture.
"""

import math
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PICTURE = TESTS.parent / "docs" / "under_way.svg"

sys.path[:0] = [str(TESTS), str(TESTS / "service")]
from simulated import Bounded, Waits, fixed, play

from ansible_collections.zonesmith.dns.plugins.module_utils._api.limiter import (
    LEAST,
    MOST,
    Limiter,
)

WIDTH, HEIGHT = 440, 234
LEFT, TOP, RIGHT, BOTTOM = 40, 66, 16, 34
ACROSS, DOWN = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
ROWS = (0, 1, 2, 4, 8, 16, 32, 64)

STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.quiet { fill: #57606a }
.grid { stroke: #d0d7de }
.under_way { fill: none; stroke: #0072b2; stroke-width: 2; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .quiet { fill: #9198a1 }
  .grid { stroke: #3d444d }
  .under_way { stroke: #56b4e9 }
}"""


# Each: the kind of service, and how many requests it is asked.
PANELS = {
    "It answers all requests at once": (Waits, 1000),
    "Twenty requests keep it busy": (lambda: Waits(share=0.05), 1000),
    "It answers one request after the other": (lambda: Waits(share=1), 200),
    "It takes 20 requests a second (429)": (lambda: Bounded(20), 40),
}


def drawn():
    """The picture."""
    width, height = 2 * WIDTH, 2 * HEIGHT
    head = "\n".join(line[2:] for line in Path(__file__).read_text("utf-8").splitlines()[:3])
    named = 'role="img" aria-label="Requests under way over time at four kinds of services"'
    lines = [
        f"<!--\n{head}\n-->",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {named}>',
        f"<style>\n{STYLE}\n</style>",
    ]
    for number, (title, (service, requests)) in enumerate(PANELS.items()):
        right, down = number % 2 * WIDTH, number // 2 * HEIGHT
        panel = _panel(title, service, requests)
        lines += [f'<g transform="translate({right} {down})">', *panel, "</g>"]
    return "\n".join([*lines, "</svg>", ""])


def _panel(title, service, requests):
    found = play(service(), requests, Limiter())
    with_least = play(service(), requests, fixed(LEAST))
    caption = f"{requests:,} requests: {_told(found)}; {_told(with_least)} with {LEAST}"
    yield f'<text class="title" x="{LEFT}" y="20">{title}</text>'
    yield f'<text class="quiet" x="{LEFT}" y="38">{caption}</text>'
    for row in ROWS:
        yield f'<path class="grid" d="M{LEFT} {_y(row):.0f}h{ACROSS}"/>'
        yield f'<text class="quiet" x="{LEFT - 6}" y="{_y(row) + 4:.0f}" text-anchor="end">{row}</text>'
    yield f'<path class="under_way" d="{_course(found)}"/>'
    last = f"{found.seconds:.0f} s" if found.seconds >= 5 else f"{found.seconds:.1f} s"
    yield f'<text class="quiet" x="{LEFT}" y="{TOP - 7}">requests under way</text>'
    yield f'<text class="quiet" x="{LEFT}" y="{HEIGHT - 12}">0</text>'
    yield f'<text class="quiet" x="{LEFT + ACROSS}" y="{HEIGHT - 12}" text-anchor="end">{last}</text>'


def _told(course):
    return f"{course.seconds:.1f} s{f', {course.refused} refused' if course.refused else ''}"


def _y(number):
    """Twice as many are as much higher everywhere; none is below one."""
    return TOP + DOWN * (1 - (math.log2(number) + 1 if number else 0) / (math.log2(MOST) + 1))


def _course(course):
    """The most that are under way in each two pixels' time."""
    states = iter([*course.under_way, (math.inf, 0)])
    now = last = 0
    steps = [f"M{LEFT} {_y(0):.0f}"]
    when, coming = next(states)
    for column in range(2, ACROSS + 1, 2):
        most = now
        while when < column / ACROSS * course.seconds:
            now = coming
            most = max(most, now)
            when, coming = next(states)
        if most != last:
            steps.append(f"H{LEFT + column - 2}V{_y(most):.0f}")
            last = most
    return "".join([*steps, f"H{LEFT + ACROSS}"])


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8")
