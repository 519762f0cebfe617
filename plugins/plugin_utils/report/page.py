# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The HTML of the report, a Jinja template. All that is filled in is escaped, but the page's own style and script."""

from __future__ import annotations

PAGE = r"""
{% macro sentences(part) %}
{% if part.failure %}
<p class="say failed"><strong>{{ part.failed }}:</strong> {{ part.failure }}</p>
{% endif %}
{% for word, text in part.findings %}
<p class="say {{ 'failed' if word == 'Error' else 'finding' }}"><strong>{{ word }}:</strong> {{ text }}</p>
{% endfor %}
{% for text in part.warnings %}
<p class="say warning"><strong>Warning:</strong> {{ text }}</p>
{% endfor %}
{% if part.remaining %}
<p class="more">and {{ part.remaining }} more</p>
{% endif %}
{% for diff in part.diffs %}
{% if diff.title %}
<p class="title">{{ diff.title }}</p>
{% endif %}
<pre tabindex="0" aria-label="Changed lines">
{% for line in diff.lines %}
<span class="{{ line.kind }}">{{ line.sign }} {{ line.text }}
</span>
{%- endfor %}
</pre>
{% if diff.remaining %}
<p class="more">and {{ number(diff.remaining, "more line") }}</p>
{% endif %}
{% endfor %}
{% endmacro %}
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{ policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>DNS report: {{ title }}</title>
<style>{{ style | safe }}</style>
</head>
<body>
<header>
<h1>DNS report</h1>
{% if mode %}
<p class="mode">{{ mode }}</p>
{% endif %}
<p class="about">
{%- if playbooks %}<span>{{ playbooks }}</span>{% endif %}
<time datetime="{{ ended.strftime('%Y-%m-%dT%H:%M:%SZ') }}">{{ ended.strftime("%Y-%m-%d %H:%M UTC") }}</time>
<span>took {{ number(seconds, "second") }}</span>
{%- for total in totals %}<span>{{ total }}</span>{% endfor %}
</p>
</header>
<main>
{% if notes %}
<section class="notes" aria-label="Notes">
{% for sentence, places in notes %}
<p><strong>{{ sentence }}</strong></p>
{% if places %}
<ul>
{% for place in places[:most] %}
<li>{{ place }}</li>
{% endfor %}
{% if places | length > most %}
<li>and {{ places | length - most }} more</li>
{% endif %}
</ul>
{% endif %}
{% endfor %}
</section>
{% endif %}
{% if nowhere %}
<section aria-labelledby="nowhere">
<h2 id="nowhere">Of no zone in particular</h2>
{% for part in nowhere %}
<div class="part">
<p class="where">{{ part.where }}</p>
{{ sentences(part) }}</div>
{% endfor %}
{% if nowhere_left %}
<p class="more">and {{ nowhere_left }} more</p>
{% endif %}
</section>
{% endif %}
<section aria-labelledby="zones">
<h2 id="zones">Zones</h2>
<div class="tools">
<div class="counts" role="group" aria-label="Show zones by state">
{% for state, word, many in filters %}
<button type="button" class="count {{ state }}" data-state="{{ state }}"
 aria-pressed="{{ 'true' if state == 'all' else 'false' }}"><b>{{ "{:,}".format(many) }}</b> {{ word }}</button>
{% endfor %}
</div>
<div class="find">
<label for="filter">Filter</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"
 placeholder="zone, name or value">
<kbd aria-hidden="true">/</kbd>
<button type="button" id="toggle">Expand all</button>
</div>
</div>
<p id="showing" role="status">{{ number(count.zones, "zone") }}</p>
{% for row in rows %}
{% if row.parts %}
{% set is_open = is_short or (row.state == "failed" and loop.index <= 20) %}
<details class="zone" data-state="{{ row.state }}"{{ " open" if is_open }}>
<summary><span class="state {{ row.state }}">{{ row.word }}</span>
<span class="name">{{ row.name }}</span>
<span class="has">{{ row.summary }}</span></summary>
{% for part in row.parts %}
<div class="part">
<p class="where">{{ part.where }}</p>
{{ sentences(part) }}</div>
{% endfor %}
</details>
{% else %}
<div class="zone" data-state="{{ row.state }}"><span class="state {{ row.state }}">{{ row.word }}</span>
<span class="name">{{ row.name }}</span></div>
{% endif %}
{% endfor %}
<p id="none" hidden>No zone fits the filter.</p>
{% if untouched %}
<details class="untouched">
<summary>{{ untouched }}</summary>
<ul>
{% for zone in untouched_zones %}
<li>{{ zone }}</li>
{% endfor %}
</ul>
</details>
{% endif %}
</section>
</main>
<footer>Written by zonesmith.dns.report</footer>
<script>{{ script | safe }}</script>
</body>
</html>
""".lstrip()
