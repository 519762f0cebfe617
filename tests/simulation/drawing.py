# Copyright (c) 2026, the zonesmith.dns contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Stories by chance. One number gives one story, whatever was drawn before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from story import ANY_TTL, OTHER, ZONE, Fault, Hand, Key, Run, Service, SetClock, Sets, Story, key_of, zone_of
from wishes import globs_of, is_met

WWW: Key = (f"www.{ZONE}", "A")
FTP: Key = (f"ftp.{ZONE}", "A")
MX: Key = (ZONE, "MX")
TXT: Key = (ZONE, "TXT")
BESIDE: Key = (f"www.{ZONE}", "TXT")
"""A set at the name of the one that most is about."""
ALIAS: Key = (f"alias.{ZONE}", "CNAME")
ADDRESSES = tuple(f"192.0.2.{number}" for number in range(1, 7))
TEXTS = ("v=spf1 mx -all", "site=1", "token=abc")
MANY = tuple((f"h{number}.{ZONE}", "A") for number in range(1, 12))
OTHERS: tuple[Key, ...] = ((f"www.{OTHER}", "A"), (OTHER, "MX"))
PARTS: tuple[list[dict[str, str]], ...] = ([{"name": "www"}], [{"type": "A"}], [{"name": "h*"}, {"name": "www"}])
SHORT: tuple[list[dict[str, Any]], ...] = ([{"name": "www", "ttl": 120}], [{"type": "A", "ttl": 60}], [{"ttl": 450}])
OWNERS = ("mail", "web", "web/shop")
IN_PLACE_OF_ALIAS: tuple[dict[str, Any], ...] = (
    {"content": ["ftp.example.com."]},
    {"type": "A", "content": ["192.0.2.1"]},
    {"state": "absent"},
)
HOSTS = ("10 mail.example.net.", "20 mx.example.net.")

Favoured = tuple[Key, tuple[str, ...]]
"""The set that most tasks of a story are about, and what they can want of it."""

LATER = (1.0, 2.5, 6.0, 12.0, 25.0, 90.0, 300.0, 590.0)
"""Seconds after which a request that had no answer, or was accepted, is carried out."""

ODDS = {
    "old readings": 0.5,
    "a late DELETE": 0.4,
    "a DELETE that comes after its run": 0.3,
    "a lost answer": 0.4,
    "a kill": 0.4,
    "a second kill": 0.3,
    "a kill after a long time": 0.1,
    "throttled": 0.2,
    "a limit of requests": 0.1,
    "accepted": 0.15,
    "late additions": 0.15,
    "a full disk": 0.03,
    "an outage": 0.06,
    "two sets at a name": 0.12,
    "runs at once": 0.3,
    "by hand": 0.3,
    "a wanted value by hand": 0.4,
    "a database": 0.25,
    "a session that ends": 0.1,
    "a clock that is set back": 0.05,
    "TTLs kept": 0.05,
    "mail hosts without preference": 0.05,
    "texts in quotes": 0.2,
    "texts misread": 0.05,
    "values refused": 0.05,
    "sets that come back": 0.03,
    "sets that cannot be deleted": 0.03,
    "TTLs rounded": 0.03,
    "texts that keep their quotes": 0.03,
    "a cache of readings": 0.06,
    "readings without the SOA": 0.04,
    "additions change the TTL": 0.1,
    "many sets": 0.35,
    "pruning": 0.12,
    "all types": 0.3,
    "check mode": 0.15,
    "zone files": 0.15,
    "several zones": 0.12,
    "a large zone": 0.12,
    "limits": 0.25,
    "reviewed plans": 0.15,
    "a reversal": 0.12,
    "a part of a zone": 0.12,
    "single values": 0.2,
    "short TTLs": 0.12,
    "owners": 0.2,
    "a TTL for each value": 0.05,
    "by hand while a DELETE is open": 0.12,
}
"""How likely a story has each of these."""

SPOILT = ("texts misread", "texts that keep their quotes")
OF_TEXTS = ("texts in quotes", *SPOILT)
OF_HOSTS = ("mail hosts without preference",)
RARE = (
    *OF_TEXTS,
    *OF_HOSTS,
    "TTLs kept",
    "TTLs rounded",
    "a TTL for each value",
    "additions change the TTL",
    "short TTLs",
    "values refused",
    "sets that cannot be deleted",
    "a cache of readings",
    "owners",
    "reviewed plans",
    "a reversal",
    "limits",
    "pruning",
    "single values",
    "a database",
    "a session that ends",
    "a full disk",
    "an outage",
    "two sets at a name",
    "a kill after a long time",
    "by hand while a DELETE is open",
)
"""Of these a hunt has a few in each story, since what is lost is often lost where two of them meet."""

HUNTED = {
    **{name: odds / 2 if name in RARE else odds for name, odds in ODDS.items()},
    "a kill": 0.6,
    "a second kill": 0.4,
    "a late DELETE": 0.5,
    "a DELETE that comes after its run": 0.6,
    "a lost answer": 0.5,
    "old readings": 0.65,
    "several zones": 0.06,
    "a large zone": 0.03,
}
"""How likely a story of a hunt has each of these, but for those that it is about."""


class _Drawer:
    """Draws one story."""

    def __init__(self, random: Random, odds: Mapping[str, float] = ODDS, favoured: Favoured | None = None):
        self._random, self._favoured = random, favoured
        self._has = {name for name, chance in odds.items() if chance >= 1 or random.random() < chance}

    def has(self, name: str) -> bool:
        return name in self._has

    def story(self, name: str) -> Story:
        random = self._random
        zone = self._zone()
        runs = [self._run(f"r{number}") for number in range(1, random.choice((2, 3, 3, 4, 5)))]
        if self.has("owners"):
            runs = [self._of_owner(run) for run in runs]
        if self.has("reviewed plans"):
            runs = [
                replace(run, options={**run.options, "plan_dir": "plans"}) if run.module != "dns_record" else run
                for run in runs
            ]
        steps: list[Run | Hand | SetClock] = []
        for run in runs:
            odds = 0.85 if "plan_dir" in run.options else 0.3 if self.has("check mode") else 0
            if random.random() < odds and not run.beside:
                steps.append(replace(run, who=f"c{run.who[1:]}", check=True))
            steps.append(run)
        if self.has("a reversal"):
            of = random.choice(runs)
            options = {"zone": "example.com", "findings": "off", "reverses": of.who}
            back = Run("back", "dns_records", options, random.choice((0.1, 1.0, 5.0, 70.0)), host=of.host)
            steps.insert(random.randint(steps.index(of) + 1, len(steps)), back)
            runs.append(back)
        if self.has("by hand"):
            for _number in range(random.choice((1, 1, 2))):
                steps.insert(random.randint(0, len(steps)), self._hand(runs))
        if self.has("a clock that is set back"):
            steps.insert(random.randint(1, len(steps)), SetClock("one", -random.choice((2.0, 5.0, 100.0, 700.0))))
        faults, service = self._faults(runs), self._service()
        if self.has("values refused") and random.random() < 0.5:  # others add to what is about to be put back
            before = (random.choice(runs).who, random.randint(4, 6))
            steps.insert(0, Hand("add", WWW, "192.0.2.6", 300, before=before))
        if self.has("by hand while a DELETE is open"):
            at = random.randrange(len(runs))
            steps.insert(0, self._hand_while_open(runs[at:]))
            faults = (*self._open(runs[at]), *faults)
        return Story(zone, tuple(steps), faults, service, self.has("a database"), name)

    def _zone(self) -> Sets:
        random = self._random
        zone: Sets = {WWW: (300, tuple(sorted(random.sample(ADDRESSES[:3], random.choice((1, 2, 2, 3))))))}
        if self.has("all types"):
            if random.random() < 0.7:
                zone[MX] = (300, HOSTS[: random.choice((1, 2))])
            if random.random() < 0.7:
                zone[TXT] = (300, TEXTS[: random.choice((1, 2))])
            if random.random() < 0.3:
                zone[ALIAS] = (300, ("www.example.com.",))
        if random.random() < 0.3:
            zone[FTP] = (300, ("192.0.2.9",))
        if self.has("two sets at a name"):
            zone[BESIDE] = (300, TEXTS[:1])
        if self.has("a large zone"):
            zone |= dict.fromkeys(MANY, (300, ("192.0.2.1",)))
        if self.has("several zones"):
            zone |= {key: (300, _values(key)[:1]) for key in OTHERS if random.random() < 0.7}
        return zone

    def _run(self, who: str) -> Run:
        random = self._random
        beside = who != "r1" and self.has("runs at once") and random.random() < 0.6
        pause = random.choice((0.05, 0.3, 1.0, 2.0)) if beside else random.choice((0.1, 1.0, 3.0, 5.0, 20.0, 70.0))
        pause = random.choice((570.0, 900.0, 20000.0)) if random.random() < 0.03 else pause
        host = random.choice(("one", "two")) if self.has("a database") else "one"
        has_many = self._has & {"many sets", "reviewed plans", "two sets at a name"}
        if has_many and random.random() < 0.6:
            options = {"findings": "off", **self._bounds(), "concurrency": random.choice((1, 2, 8, "auto"))}
            zones = [self._listed(ZONE, options)]
            if self.has("several zones") and random.random() < 0.7:
                zones.insert(random.randint(0, 1), self._listed(OTHER, options))
            if len(zones) > 1 or random.random() < 0.2:
                return Run(who, "dns_zones", {"zones": zones, **options}, pause, beside, host)
            return Run(who, "dns_records", {**zones[0], **options}, pause, beside, host)
        return Run(who, "dns_record", self._of_one(), pause, beside, host)

    def _of_owner(self, run: Run) -> Run:
        """The same run for one of those who share the zone; now and then for nobody."""
        random = self._random
        if random.random() < 0.1:
            return run
        options = {**run.options, "owner": random.choice(OWNERS)}
        if run.module != "dns_record" and "prune" not in options and random.random() < 0.5:
            options |= {"prune": True, "prune_limit": 100}
        word = random.random()
        if word < 0.1:
            options["takeover"] = True
        elif word < 0.15:
            options["release"] = True
        elif word < 0.25:
            options["on_drift"] = "refuse"
        return replace(run, options=options)

    def _of_one(self) -> dict[str, Any]:
        random = self._random
        key, values = self._key()
        options: dict[str, Any] = {"zone": "example.com", "name": _relative(key), "type": key[1], "findings": "off"}
        kind = random.random()
        some = tuple(random.sample(values, min(len(values), random.choice((1, 1, 2)))))
        if key == ALIAS and self.has("owners") and random.random() < 0.5:
            return {**options, **random.choice(IN_PLACE_OF_ALIAS), "exclusive": True}
        if key == ALIAS:
            return {**options, "content": ["www.example.com."], "ttl": random.choice((300, 600))}
        if kind < 0.30:
            options["content"] = [*some]
        elif kind < 0.45:
            options |= {"content": [*some], "ttl": random.choice((300, 600, 60))}
        elif kind < 0.62:
            options |= {"content": [*some], "exclusive": True}
        elif kind < 0.70:
            options |= {"content": [some[0]], "replaces": [_glob(key, random.choice(values))]}
        elif kind < 0.92:
            options |= {"content": [some[0]], "state": "absent"}
        else:
            options |= {"state": "absent"}
        return options

    def _key(self) -> Favoured:
        if self._favoured and self._random.random() < 0.6:
            return self._favoured
        keys = [(WWW, ADDRESSES[:5])] * 4
        if self.has("two sets at a name"):
            keys += [(BESIDE, TEXTS)]
        if self.has("all types"):
            keys += [(MX, HOSTS), (TXT, TEXTS), (FTP, ADDRESSES[:2]), (ALIAS, ())]
        return self._random.choice(keys)

    def _listed(self, zone: str, bounds: dict[str, Any]) -> dict[str, Any]:
        """A zone, and what is wanted of it within these bounds, as a list or as a file."""
        random = self._random
        beside = (BESIDE,) * self.has("two sets at a name")
        keys = (WWW, FTP, MX, TXT, *beside) if zone == ZONE else OTHERS
        records = [self._entry(key) for key in keys if random.random() < (0.9 if key in (WWW, BESIDE) else 0.4)]
        if zone == ZONE and self.has("a large zone"):
            listed = [key for key in MANY if random.random() < 0.85]
            records += [{"name": _relative(key), "type": "A", "content": ["192.0.2.1"]} for key in listed]
        if only := globs_of(bounds, "only"):
            records = [entry for entry in records if is_met(key_of(zone, entry), only)]
        records = records or [{"name": "www", "type": "A", "content": ["192.0.2.1"]}]
        listed: dict[str, Any] = {"zone": zone.rstrip("."), "records": records}
        if self.has("zone files") and random.random() < 0.6:
            listed["records"] = [
                {
                    "name": entry["name"],
                    "type": entry["type"],
                    "content": entry["content"],
                    "ttl": entry.get("ttl", 300),
                }
                for entry in records
                if "content" in entry
            ]
            if listed["records"]:
                return {**listed, "src": f"{zone}zone"}
        return {**listed, "records": records}

    def _entry(self, key: Key) -> dict[str, Any]:
        random = self._random
        entry: dict[str, Any] = {"name": _relative(key), "type": key[1]}
        if random.random() < 0.12:
            return {**entry, "state": "absent"}
        values = _values(key)
        entry["content"] = random.sample(values, random.choice((1, 2, 2)) if len(values) > 1 else 1)
        if random.random() < 0.5:
            entry["ttl"] = random.choice((300, 600))
        if self.has("single values") and random.random() < 0.4:
            if random.random() < 0.5:
                return {**entry, "exclusive": False}
            entry["replaces"] = [_glob(key, random.choice(values))]
        return entry

    def _bounds(self) -> dict[str, Any]:
        """How far a task may go."""
        random = self._random
        bounds: dict[str, Any] = {}
        if self.has("pruning"):
            bounds |= {"prune": True, "prune_limit": random.choice((10, 30, 50)) if self.has("limits") else 100}
            if random.random() < 0.3:
                bounds["ignore"] = [{"name": "ftp"}]
        if self.has("limits"):
            if random.random() < 0.5:
                bounds["change_limit"] = random.choice((5, 10, 20, 50))
            if random.random() < 0.4:
                bounds["protect"] = [{"name": random.choice(("www", "ftp", "h3"))}]
        if self.has("a part of a zone") and random.random() < 0.8:
            bounds["only"] = random.choice(PARTS)
        if self.has("short TTLs") and random.random() < 0.8:
            bounds["ttl_max"] = random.choice(SHORT)
        return bounds

    def _hand(self, runs: list[Run]) -> Hand:
        random = self._random
        before = (random.choice(runs).who, random.randint(1, 6)) if random.random() < 0.6 else None
        if self._favoured and not self._has & {*SPOILT} and random.random() < 0.6:
            key, values = self._favoured
            does = random.choice(("add", "add", "delete"))
            return Hand(does, key, random.choice(values), random.choice((300, 600)), random.choice((0.5, 5.0)), before)
        if random.random() < 0.3:
            return Hand("delete", WWW, pause=random.choice((0.5, 5.0)), before=before)
        if self.has("two sets at a name") and not self._has & {*SPOILT} and random.random() < 0.5:
            return Hand("add", BESIDE, random.choice(TEXTS), 300, random.choice((0.5, 5.0)), before)
        value = random.choice(ADDRESSES) if self.has("a wanted value by hand") else ADDRESSES[5]
        return Hand("add", WWW, value, random.choice((300, 600)), random.choice((0.5, 5.0)), before)

    def _hand_while_open(self, runs: list[Run]) -> Hand:
        """Somebody adds a value while the first of these runs has sent a DELETE, or after it."""
        random = self._random
        before = (random.choice((runs[0], runs[0], *runs[1:])).who, random.randint(3, 8))
        return Hand("add", WWW, ADDRESSES[5], random.choice((300, 600)), before=before)

    def _open(self, run: Run) -> tuple[Fault, ...]:
        """The DELETE of a run comes later, and in half of the stories it looks for a POST, too."""
        random = self._random
        delete = Fault(run.who, "DELETE", 1, random.choice(("late", "504", "accepted")), random.choice(LATER))
        post = Fault(
            run.who, "POST", random.choice((1, 1, 2)), random.choice(("504", "accepted")), random.choice(LATER)
        )
        return (delete, post) if random.random() < 0.5 else (delete,)

    def _faults(self, runs: list[Run]) -> tuple[Fault, ...]:
        random = self._random
        faults: dict[tuple[str, str, int], Fault] = {}

        def add(call: str, number: int, kind: str, seconds: float = 0.0, who: str = "") -> None:
            who = who or random.choice(runs).who
            faults.setdefault((who, call, number), Fault(who, call, number, kind, seconds))

        if self.has("a late DELETE"):
            for _number in range(random.choice((1, 1, 2, 3))):
                seconds = random.choice(LATER) if self.has("a DELETE that comes after its run") else 0.3
                add("DELETE", random.choice((1, 1, 1, 2)), random.choice(("late", "504")), seconds)
        if self.has("a lost answer"):
            for _number in range(random.choice((1, 2))):
                add(random.choice(("POST", "DELETE", "GET")), random.randint(1, 3), random.choice(("lost", "done")))
        if self.has("a kill"):
            for _number in range(random.choice((2, 2, 3)) if self.has("a second kill") else 1):
                call = random.choice(("POST", "POST", "DELETE", "GET", "save"))
                add(call, random.randint(1, 3), "kill", float(random.randint(0, 1)))
        if self.has("a kill after a long time"):
            run = random.choice(runs)
            add("POST", 1, random.choice(("done", "lost")), who=run.who)
            add(random.choice(("POST", "DELETE")), random.randint(1, 5), "kill", float(random.randint(0, 1)), run.who)
        if self.has("a reversal"):  # an old reading shows what is not yet there again
            add("POST", random.randint(1, 3), random.choice(("lost", "409", "503")), who="back")
        if self.has("throttled"):
            for _number in range(random.choice((1, 2, 3))):
                kind = random.choice(("409", "423", "429", "503", "refused"))
                add(
                    random.choice(("POST", "DELETE", "GET")),
                    random.randint(1, 3),
                    kind,
                    random.choice((0.0, 2.0, 2.0, 55.0)),
                )
        if self.has("accepted"):
            add(random.choice(("POST", "DELETE")), random.randint(1, 2), "accepted", random.choice((0.0, 1.0, 4.0)))
        if self.has("late additions"):
            add("POST", random.randint(1, 3), random.choice(("late", "504")), random.choice(LATER))
        if self.has("readings without the SOA"):
            add("GET", random.randint(1, 4), "partial")
        if self.has("a full disk"):
            full, first = random.choice(runs), random.randint(1, 3)
            for number in range(first, first + random.choice((1, 1, 8))):
                add("save", number, "full", who=full.who)
        if self.has("an outage"):
            run, first = random.choice(runs), random.randint(1, 5)
            calls = random.choice((("GET",), ("POST", "GET"), ("DELETE", "GET"), ("GET", "POST", "DELETE")))
            for call in calls:
                for number in range(first if call == "GET" else 1, first + 8):
                    add(call, number, random.choice(("lost", "lost", "refused")), who=run.who)
        if self.has("a session that ends"):
            add("save", random.randint(1, 3), "session")
        return tuple(faults.values())

    def _service(self) -> Service:
        random = self._random
        ages: tuple[float, ...] = (0.0,)
        if self.has("old readings") and not self.has("a cache of readings"):
            oldest = random.choice((1.0, 4.0, 8.0, 10.0, 15.0))
            replicas = [0.0, *(oldest * random.random() for _number in range(random.choice((1, 2, 3)))), oldest]
            ages = tuple(round(random.choice(replicas), 2) for _number in range(random.choice((1, 2, 7, 11))))
        return Service(
            ages=ages,
            pace=tuple(random.choice((0.02, 0.05, 0.1, 0.3, 1.0)) for _number in range(random.choice((1, 5)))),
            dice=tuple(round(random.random(), 2) for _number in range(5)),
            status=random.choice((200, 200, 200, 201, 202, 204)),
            duplicate=random.choice((200, 422, 422, 409)),
            absent=random.choice((404, 404, 200, 422)),
            takes_ttl=self.has("additions change the TTL"),
            ttls=random.choice(((120, 2**31 - 1), (0, 450), (450, 450))) if self.has("TTLs kept") else ANY_TTL,
            ttl_step=250 if self.has("TTLs rounded") else 1,
            rows=self.has("a TTL for each value"),
            quotes=self.has("texts in quotes"),
            parses=self.has("texts misread"),
            keeps_quotes=self.has("texts that keep their quotes") and not self.has("texts misread"),
            bare=self.has("mail hosts without preference"),
            refuses=(random.choice(ADDRESSES[:4]),) if self.has("values refused") else (),
            returns=(FTP,) if self.has("sets that come back") else (),
            keeps=(random.choice((FTP, WWW, TXT)),) if self.has("sets that cannot be deleted") else (),
            cache=random.choice((1.0, 5.0, 10.0)) if self.has("a cache of readings") else 0.0,
            a_second=random.choice((2, 5, 8)) if self.has("a limit of requests") else 0,
            says_when=random.random() < 0.7,
        )


def _relative(key: Key) -> str:
    zone = zone_of(key)
    return "@" if key[0] == zone else key[0].removesuffix(f".{zone}")


def _glob(key: Key, value: str) -> str:
    """What meets a value; one that may have no preference where it is shown, by its host."""
    return f"*{value.partition(' ')[2]}" if key[1] == "MX" else value


def _values(key: Key) -> tuple[str, ...]:
    """What a task that lists sets can want of one."""
    return {"MX": HOSTS, "TXT": TEXTS}.get(key[1], ADDRESSES[:2] if key == FTP else ADDRESSES[:4])


def drawn(seed: int, number: int) -> Story:
    """The story of this number."""
    random = Random(seed * 1_000_003 + number)  # noqa: S311 - the same story each time
    return _Drawer(random).story(f"SEED={seed} STORY={number}")


def hunted(seed: int, number: int) -> Story:
    """The story of this number of a hunt: some rare habits are certain, and most tasks are about what they do."""
    random = Random(f"{seed} {number}")  # noqa: S311 - the same story each time
    about = random.sample(RARE, random.choice((1, 2, 3, 4)))
    favoured = (TXT, TEXTS) if {*about} & {*OF_TEXTS} else (MX, HOSTS) if {*about} & {*OF_HOSTS} else None
    odds = {**HUNTED, "all types": 0.9 if favoured else 0.3, **dict.fromkeys(about, 1.0)}
    return _Drawer(random, odds, favoured).story(f"SEED={seed} STORY={number} HUNT=1")
