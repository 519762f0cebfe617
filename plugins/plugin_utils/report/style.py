# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The style of the report: light and dark, from a phone to a large screen, and on paper."""

from __future__ import annotations

STYLE = r"""
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1c2128; --quiet: #57606a; --line: #d5dae1; --soft: #eef1f4;
  --accent: #0b57c4; --failed: #b3261e; --failed-back: #fdecea; --changed: #7a4a00; --changed-back: #fdf0d9;
  --fine: #1a6b35; --fine-back: #e4f4e9; --in: #14602c; --in-back: #e6f6ea; --out: #a11d17; --out-back: #fdeceb;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --card: #171c23; --text: #e4e8ee; --quiet: #a0aab6; --line: #303842; --soft: #1f262f;
    --accent: #7fb2ff; --failed: #ff9c94; --failed-back: #3a1a1a; --changed: #f2c26b; --changed-back: #352811;
    --fine: #85d79c; --fine-back: #16301f; --in: #8fe0a6; --in-back: #12291a; --out: #ffa8a1; --out-back: #341818;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; padding: 0 1.25rem 3rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
header, main, footer { max-width: 64rem; margin-inline: auto; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.875rem; padding: 1.75rem 0 0.5rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; }
h2 { margin: 1rem 0 0.375rem; font-size: 1rem; }
p { margin: 0; }
.mode {
  padding: 0.125rem 0.625rem; border-radius: 1rem; background: var(--changed-back); color: var(--changed);
  font-size: 0.8125rem; font-weight: 600;
}
.about { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 0 1.125rem; color: var(--quiet); font-size: 0.875rem; }
.notes {
  padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 0.25rem solid var(--changed);
  border-radius: 0.5rem; background: var(--card);
}
.notes ul { margin: 0.125rem 0 0.5rem; padding-left: 1.25rem; }
.notes p + p { margin-top: 0.375rem; }
.tools { display: none; }
.live .tools {
  position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; gap: 0.625rem 1rem; align-items: center;
  justify-content: space-between; margin-inline: -1.25rem; padding: 0.625rem 1.25rem; background: var(--page);
}
.counts, .find { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
.find { position: relative; flex: 1 1 20rem; justify-content: flex-end; flex-wrap: nowrap; }
button, input {
  min-height: 2.25rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem;
  background: var(--card); color: inherit; font: inherit; font-size: 0.875rem;
}
button { cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--quiet); }
.count b { font-variant-numeric: tabular-nums; }
.count.failed b { color: var(--failed); }
.count.changed b, .count.would_change b, .count.not_ours b, .count.unmanaged b { color: var(--changed); }
.count.unchanged b { color: var(--fine); }
.count[aria-pressed="true"] {
  border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600;
}
label { color: var(--quiet); font-size: 0.875rem; }
input { flex: 1 1 8rem; min-width: 0; max-width: 18rem; }
input::placeholder { color: var(--quiet); opacity: 1; }
kbd {
  margin-left: -2.375rem; margin-right: 0.75rem; padding: 0 0.4375rem; border: 1px solid var(--line);
  border-radius: 0.25rem; background: var(--soft); color: var(--quiet); font: 0.75rem/1.25rem var(--mono);
  pointer-events: none;
}
input:focus + kbd, input:not(:placeholder-shown) + kbd { visibility: hidden; }
:focus-visible { outline: 0.1875rem solid var(--accent); outline-offset: 0.125rem; }
#showing { margin: 0.25rem 0 0.5rem; color: var(--quiet); font-size: 0.875rem; }
#none { padding: 2rem; color: var(--quiet); text-align: center; }
.zone {
  margin-bottom: 0.375rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card);
  content-visibility: auto; contain-intrinsic-size: auto 2.75rem;
}
.zone[hidden] { display: none; }
summary, div.zone { display: flex; align-items: baseline; gap: 0.25rem 0.75rem; padding: 0.5625rem 0.875rem; }
summary { cursor: pointer; border-radius: 0.5rem; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after {
  content: ""; flex: none; align-self: center; width: 0.4375rem; height: 0.4375rem; margin: 0 0.25rem 0.125rem 0;
  border: solid var(--quiet); border-width: 0 0.125rem 0.125rem 0; transform: rotate(45deg);
}
[open] > summary::after { margin-bottom: -0.25rem; transform: rotate(225deg); }
summary:hover { background: var(--soft); }
.state {
  flex: none; width: 8rem; padding: 0.0625rem 0.25rem; border-radius: 0.375rem; font-size: 0.75rem; font-weight: 600;
  line-height: 1.25rem; text-align: center;
}
.state.failed { background: var(--failed-back); color: var(--failed); }
.state.changed, .state.would_change, .state.not_ours, .state.unmanaged {
  background: var(--changed-back); color: var(--changed);
}
.state.unchanged { background: var(--fine-back); color: var(--fine); }
.name { min-width: 0; overflow-wrap: anywhere; font-weight: 600; }
.has { flex: 1; color: var(--quiet); font-size: 0.875rem; text-align: right; }
.part { padding: 0.25rem 0.875rem 0.875rem; }
.untouched { margin-top: 1rem; }
.untouched summary { color: var(--quiet); }
.untouched ul { columns: 14rem; margin: 0 0 0.875rem; overflow-wrap: anywhere; }
.part + .part { border-top: 1px solid var(--line); padding-top: 0.625rem; }
section > .part {
  margin-bottom: 0.375rem; padding-top: 0.625rem; border: 1px solid var(--line); border-radius: 0.5rem;
  background: var(--card);
}
.where, .title, .more { color: var(--quiet); font-size: 0.8125rem; overflow-wrap: anywhere; }
.title { margin-top: 0.5rem; }
.say {
  margin-top: 0.375rem; padding: 0.375rem 0.75rem; border-left: 0.1875rem solid; border-radius: 0.25rem;
  overflow-wrap: anywhere;
}
.say.failed { border-color: var(--failed); background: var(--failed-back); }
.say.finding, .say.warning { border-color: var(--changed); background: var(--changed-back); }
pre {
  margin: 0.5rem 0 0; padding: 0.375rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.375rem;
  background: var(--soft); font: 0.8125rem/1.5 var(--mono); white-space: pre; tab-size: 4;
}
pre span { display: block; width: max-content; min-width: 100%; padding: 0 0.75rem; }
.in { background: var(--in-back); color: var(--in); }
.out { background: var(--out-back); color: var(--out); }
.note { background: var(--changed-back); color: var(--changed); }
footer { margin-top: 2rem; color: var(--quiet); font-size: 0.8125rem; }
@media (max-width: 36rem) {
  body { padding-inline: 0.75rem; }
  .live .tools { position: static; margin-inline: 0; padding-inline: 0; }
  .counts { display: grid; grid-template-columns: 1fr 1fr; width: 100%; }
  .find { flex-basis: 100%; min-width: 0; }
  .find label { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  kbd { display: none; }
  input { width: 0; max-width: none; font-size: 1rem; }
  summary, div.zone { flex-wrap: wrap; position: relative; padding-right: 2rem; }
  .name { flex: 1 1 60%; }
  .has { flex-basis: 100%; text-align: left; }
  summary::after { position: absolute; right: 0.75rem; top: 1.125rem; }
}
@media (forced-colors: active) { .state, .say, pre span { border: 1px solid; } }
@media print {
  body { padding: 0; background: none; font-size: 10pt; }
  .live .tools, footer { display: none; }
  .zone { content-visibility: visible; break-inside: auto; }
  summary { break-after: avoid; }
  summary::after { content: none; }
  pre { overflow: visible; }
  pre span { width: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
}
"""
