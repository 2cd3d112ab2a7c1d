"""The analysts' queries and views, and the same figures computed here."""

import collections
import datetime
import glob
import json
import math
import random
import re
import time

from generated import KEYS, NAMES, as_row, extremes, planned, released, shoppers
from harness import RECEIVER, Clickstream
from workplace import Failure, check, wait

QUERIES = f"{RECEIVER}/queries.sql"


def queries():
    """Returns the name, the kind of chart, the title and the statement of each query."""
    text = open(QUERIES, encoding="utf-8").read()
    pattern = r"^-- ([a-z-]+) \((\w+)\): (.*(?:\n-- .*)*)\n((?:.|\n)*?);$"
    return [(name, kind, re.sub(r"\n-- ", " ", title), statement)
            for name, kind, title, statement in re.findall(pattern, text, re.MULTILINE)]


def create_views(engine):
    for path in (f"{RECEIVER}/actions.sql", f"{RECEIVER}/releases.sql", "Scripts/plan/views.sql"):
        engine.run_file(path)


def traits(source, user, known):
    """Returns an update of a user's traits, applied to the known ones."""
    scalar, text = lambda: source.choice([1, 2, "a", "b\"\\\u00e9", 1.5]), json.dumps
    change = source.choice([
        scalar(), ["a", 1], {"x": 1}, {"$increment": 1, "x": 2}, None, {"$setOnce": scalar()},
        {"$increment": source.choice([-3, 10])}, {"$append": [scalar(), scalar()]}, {"$remove": [scalar()]}])
    name = f"t {source.randrange(5)}"
    old = known.pop((user, name), None)
    kind, value = next(iter(change.items())) if isinstance(change, dict) and len(change) == 1 else ("", change)
    if kind == "$setOnce" and old is not None:
        value = old
    elif kind == "$increment":
        value += old if isinstance(old, (int, float)) else 0
    elif kind in ("$append", "$remove"):
        kept = [x for x in old if text(x) not in map(text, value)] if isinstance(old, list) else []
        value = kept + [json.loads(x) for x in dict.fromkeys(map(text, value)) if kind == "$append"]
    elif kind == "x":
        value = change
    if value is not None:
        known[user, name] = value
    return json.dumps({name: change}, ensure_ascii=False)


def check_traits(engine, seed=12):
    """Compares the view of traits with traits computed here, of updates of which half arrive twice, in any order."""
    engine.create_tables()
    source, known = random.Random(seed), {}
    rows = [{"event_id": f"e{number}", "name": "$identify", "product": "DL", "ts_ms": 1_772_359_200_000 + number,
             "device_id": f"d{number % 2}", "user_id": (user := f"u{source.randrange(20)}"),
             "props": traits(source, user, known)} for number in range(4000)]
    source.shuffle(rows)
    for part in (rows, source.sample(rows, 2000)):
        engine.insert_rows("\n".join(json.dumps(row, ensure_ascii=False) for row in part))
    rows = engine.query("SELECT user, trait, value FROM awesome.user_traits FORMAT JSONCompactEachRow")
    found = {(user, trait): json.loads(value) for user, trait, value in (json.loads(row[0]) for row in rows)}
    check("traits that are as computed independently", found == known and len(known) > 80, True)


def clickstream():
    """Returns three weeks of 300 users, of whom a fifth sign in during a session."""
    return Clickstream.made(1500, 37, seconds=1200, people=300)


EPOCH, LAST = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC), datetime.datetime(
    2099, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
ZONES = ("UTC", "Europe/Istanbul", "America/New_York", "Pacific/Kiritimati")


def utc(event):
    return datetime.datetime.fromtimestamp(event.time // 1000, datetime.UTC)


def is_dated(event):
    return 2000 <= utc(event).year < 2100


def actions(events):
    """Returns each action with its kind, its item, its currency and its revenue."""
    for event in events:
        kind, (item, total) = NAMES[event.product][event.name], KEYS[event.product]
        if event.name == "pdp_cart_change":
            kind = event.props["action"]
        if kind:
            sum_of_order = event.props.get(total) if kind == "buy" else None
            yield (event, kind, event.props.get(item, ""), event.props.get("currency", ""),
                   sum_of_order if isinstance(sum_of_order, (int, float)) else 0)


def people(events):
    """Returns the person of each action that has a day, and whether it is a user, by the action's event."""
    found, users = {}, collections.defaultdict(set)
    dated = [event for event, *_ in actions(events) if is_dated(event)]
    for event in dated:
        if event.user and event.session:
            users[event.product, event.session].add(event.user)
    for event in dated:
        theirs = {event.user} if event.user else users[event.product, event.session]
        found[event.id] = (*theirs, True) if len(theirs) == 1 else (f"device {event.device}", False)
    return found


def numbers_between(events):
    """Returns accepted and arrived events by installation and version, and the missing numbers."""
    rows, missing, installations = collections.Counter(), set(), collections.defaultdict(dict)
    for event in events:
        installations[event.product, event.device][event.seq] = event.version
    arrived = collections.Counter((event.product, event.device, event.version) for event in events)
    for (product, device), versions in installations.items():
        for number in range(min(versions), max(versions) + 1):
            following = next(version for seq, version in sorted(versions.items()) if seq >= number)
            rows[product, device, following] += 1
            missing |= {(device, product, number)} - {(device, product, seq) for seq in versions}
    return [(*key, rows[key], arrived[key], rows[key] - arrived[key]) for key in rows], missing


def funnels(events):
    """Returns the rows of both funnels, from all triples of a view, an addition and a purchase."""
    person, order, visits, visitors = people(events), {"view": 0, "add": 1, "buy": 2}, {}, {}
    for event, kind, *_ in actions(events):
        if event.session:
            visits.setdefault((event.product, event.session), []).append((event.seq, 0, event.seq, kind))
        if is_dated(event):
            visitors.setdefault((event.product, person[event.id][0]), []).append(
                (event.time, event.seq, event.time, kind))
    for groups, limit in ((visits, math.inf), (visitors, 7 * 86_400_000)):
        counts = {product: [0, 0, 0] for product in KEYS}
        for (product, _), steps in groups.items():
            views, additions, purchases = ([step for step in steps if step[3] == kind] for kind in order)
            pairs = [(view, add) for view in views for add in additions if view < add]
            stages = [views, [1 for view, add in pairs if add[2] - view[2] <= limit],
                      [1 for view, add in pairs for buy in purchases if add < buy and buy[2] - view[2] <= limit]]
            for place, found in enumerate(stages):
                counts[product][place] += bool(found)
        yield [(product, *stages) for product, stages in counts.items()]


def paths(events):
    """Returns the most frequent paths of sessions."""
    steps, found = collections.defaultdict(list), collections.Counter()
    for event, kind, *_ in actions(sorted(events, key=lambda event: event.seq)):
        if event.session and steps[event.product, event.session][-1:] != [kind]:
            steps[event.product, event.session].append(kind)
    for path in steps.values():
        found[" > ".join(path[:4])] += 1
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:10]


def monday(date):
    return date - datetime.timedelta(date.weekday())


def figures(events):
    """Returns the rows of the views and queries of shoppers."""
    person, day, week = people(events), collections.defaultdict(set), collections.defaultdict(list)
    weeks, back, sums = collections.defaultdict(set), collections.Counter(), collections.Counter()
    names = collections.defaultdict(list)
    rows, stitching = [], {product: [0, 0, set()] for product in KEYS}
    for event, kind, _, currency, revenue in actions(filter(is_dated, events)):
        (name, known), date = person[event.id], utc(event).date()
        rows.append((event.product, event.session, event.seq, date, kind, name, int(known), int(not event.user),
                     currency, float(revenue)))
        day[date, event.product].add(name)
        weeks[name].add(monday(date))
        if kind == "buy":
            week[monday(date), event.product, currency].append((revenue, name))
            sums[f"revenue {currency}".strip()] += float(revenue)
        if not event.user:
            stitching[event.product][0] += 1
            stitching[event.product][1] += known
            stitching[event.product][2] |= {name} if known else set()
    for dates in weeks.values():
        back.update((min(dates), (date - min(dates)).days // 7) for date in dates)
    for event in events:
        names[event.product, event.name].append(event)
    by_session, by_user = funnels(events)
    orders = [name for found in week.values() for _, name in found]
    return {
        "overview": [("people", float(len(weeks))), ("sessions", float(len({row[1] for row in rows} - {""}))),
                     ("buyers", float(len(set(orders)))), ("orders", float(len(orders))), *sums.items()],
        "funnel-by-session": by_session,
        "funnel-by-user": by_user,
        "paths": paths(events),
        "retention-by-week": [(*key, count) for key, count in back.items()],
        "events-per-product": [
            (*key, len(found), *(len({getattr(event, name) for event in found} - {""}) for name in ("session", "user")),
             *(f"{min(max(pick(map(utc, found)), EPOCH), LAST):%Y-%m-%d %H:%M:%S}" for pick in (min, max)))
            for key, found in names.items()],
        "actions": [(event.device, event.product, event.seq, item) for event, _, item, *_ in actions(events)],
        "people": rows,
        "daily-active-users": [(*key, len(names)) for key, names in day.items()],
        "revenue": [(*key, float(sum(revenue for revenue, _ in orders)), len(orders), len({name for _, name in orders}))
                    for key, orders in week.items()],
        "identity-stitching": [(product, first, stitched, len(users))
                               for product, (first, stitched, users) in stitching.items()],
        "completeness": numbers_between(events)[0],
    }


def compare_figures(engine, events, title):
    """Compares the figures of the table with those of the events."""
    statement = {name: statement for name, _, _, statement in queries()} | {
        "actions": "SELECT device_id, product, seq, item FROM awesome.actions",
        "people": "SELECT product, session_id, seq, day, action, person, known, anonymous, currency, revenue "
                  "FROM awesome.people"}
    for name, rows in figures(events).items():
        kinds = [type(value) for value in rows[0]]
        found = [tuple(float(value) if kind is float else value for kind, value in zip(kinds, row))
                 for row in engine.query(statement[name])]
        wanted = [tuple(value if isinstance(value, float) else str(value) for value in row) for row in rows]
        different = sorted((collections.Counter(found) - collections.Counter(wanted)).items())[:3], \
            sorted((collections.Counter(wanted) - collections.Counter(found)).items())[:3]
        if any(different):
            raise Failure(f"{title}: {name} has rows {different[0]} instead of {different[1]}")
    print(f"{f'figures computed independently, {title}':<64} {len(figures(events))}")


def insert_in_zones(engine, events, source):
    """Inserts events, and half of them again after each restart of the server in another time zone."""
    for zone in (*ZONES, engine.zone):
        engine.stop()
        engine.zone = zone
        engine.start()
        if engine.query("SELECT timezone()") not in ([[zone]], [[f"Etc/{zone}"]]):
            raise Failure(f"the server's time zone is not {zone}")
        again = events if zone == ZONES[0] else [event for event in events if source.random() < 0.5]
        engine.insert_rows("\n".join(map(as_row, again)))


def plan():
    """Returns the in-house events of the plan's schemas: product, name, type by key, and required keys."""
    found = {}
    for path in sorted(glob.glob("Scripts/plan/*.schema.json")):
        for entry in json.load(open(path, encoding="utf-8"))["$defs"].values():
            parts = entry["properties"]
            if parts["service"]["const"] == "awesomeTracking":
                parameters, key = parts["parameters"], (entry["x-product"], parts["name"]["const"])
                kinds, required = found.setdefault(key, ({}, set(parameters.get("required", []))))
                kinds |= {name: str(schema["type"]) for name, schema in parameters["properties"].items()}
                required &= set(parameters.get("required", []))
    return [(*key, *found[key]) for key in sorted(found)]


def typed(kind, value):
    """Returns a value as the column of a type has it, or None if it has another type."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    valid = {"string": isinstance(value, str), "boolean": isinstance(value, bool), "number": is_number,
             "integer": is_number and value == int(value) and -2**63 <= value < 2**63,
             "array": isinstance(value, list), "object": isinstance(value, dict)}
    return value if valid[kind] else None


def check_typed_views(engine, seed=66, count=40):
    """Compares each typed column, and the rows that break the plan, with the generated values."""
    engine.create_tables()
    create_views(engine)
    known, different, broken, columns = plan(), [], collections.Counter(), 0
    events = planned(known, seed, count)
    places = {event.id: (event.product, event.name) for event in events}
    engine.insert_rows("\n".join(map(as_row, events)))
    for product, name, kinds, required in known:
        text = engine.ask(f"SELECT * FROM awesome.`{product}_{name}` FORMAT JSONEachRow",
                          "output_format_json_quote_64bit_integers=0")[1]
        found = {row["event_id"]: row for row in map(json.loads, text.strip().split("\n"))}
        for event in (event for event in events if (event.product, event.name) == (product, name)):
            for key, kind in kinds.items():
                wanted = typed(kind, event.props[key]) if key in event.props else None
                row, columns = found[event.id], columns + 1
                value = row.get(f"props_{key}", row.get(key))
                if kind in ("array", "object") and value is not None:
                    value = json.loads(value)
                if value != wanted and not (kind == "number" and wanted and math.isclose(value, wanted)):
                    different.append((event.product, event.name, key, event.props.get(key), value))
                if key not in event.props and key in required:
                    broken[event.id, f"missing {key}"] += 1
                if key in event.props and wanted is None:
                    broken[event.id, f"type of {key}"] += 1
    check(f"typed values that differ, of {columns} by any writer of JSON", different[:3], [])
    found = collections.Counter(map(tuple, engine.query("SELECT event_id, rule FROM awesome.plan_violations")))
    rules = collections.Counter((*places[event], rule) for event, rule in broken.elements())
    check("groups of rows that break the plan, as computed here",
          engine.query(statement_of("data-quality")) == sorted([*key, str(rows)] for key, rows in rules.items()), True)
    check(f"rows that break the plan, beside {len(broken)} expected ones",
          sorted((found - broken) + (broken - found)), [])
    check("events of the plan that no version has sent", engine.query(statement_of("unsent-events")), [])
    delete(engine, f"name = '{known[0][1]}'")
    check("an event of the plan that no version has sent", engine.query(statement_of("unsent-events")),
          [list(row[:2]) for row in known if row[1] == known[0][1]])


def statement_of(name):
    return next(statement for other, _, _, statement in queries() if other == name)


def changes(events):
    """Returns the rows of `release_changes`, and the score of each.

    The score is the difference of the rates in standard errors: a sum over all installations of a version, with the
    square of the distance between the events of an installation and those that its sessions have at the common rate.
    """
    counts, sessions = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for event in events:
        counts[event.product, event.version, event.name][event.device] += 1
    for product, version, device, _ in {(*event[7:9], event.device, event.session) for event in events}:
        sessions[product, version][device] += 1
    for product in {product for product, _ in sessions}:
        versions = sorted((key[1] for key, visits in sessions.items() if key[0] == product and len(visits) > 15),
                          key=lambda version: [int(number) for number in re.findall("[0-9]+", version)])
        for pair in zip(versions, versions[1:]):
            totals = [sum(sessions[product, version].values()) for version in pair]
            for name in {name for *key, name in counts if key == [product, pair[0]]}:
                found = [counts.get((product, version, name), collections.Counter()) for version in pair]
                before, after = (sum(each.values()) / total for each, total in zip(found, totals))
                rate = sum(sum(each.values()) for each in found) / sum(totals)
                error = math.sqrt(sum(
                    sum((each[device] - rate * visits) ** 2 for device, visits in sessions[product, version].items())
                    / total ** 2 for version, each, total in zip(pair, found, totals)))
                yield product, pair[1], name, pair[0], before, after, error and (before - after) / error


def is_alarm(change, limit=3):
    return change[6] >= limit and change[5] <= 0.8 * change[4]


def check_releases(engine, seed=69):
    """Compares the alarms about releases that have lost a call, and counts the alarms about others."""
    engine.create_tables()
    create_views(engine)
    events, lost = released(seed)
    for start in range(0, len(events), 50_000):
        engine.insert_rows("\n".join(map(as_row, events[start:start + 50_000])))
    wanted = sorted(changes(events))
    found = engine.query("SELECT product, app_version, name, earlier, before, after, score "
                         "FROM awesome.release_changes ORDER BY product, app_version, name")
    check("changes of rates between versions, as computed here",
          len(found) == len(wanted) and all(row[:4] == list(change[:4]) and all(
              math.isclose(float(value), other, rel_tol=1e-6, abs_tol=1e-9)
              for value, other in zip(row[4:], change[4:])) for row, change in zip(found, wanted)), True)
    alarms = [(product, version, name) for product, name, _, version, *_ in engine.query(statement_of("release-alarm"))]
    check("release alarms, as computed here", sorted(alarms) == [row[:3] for row in wanted if is_alarm(row)], True)
    for more in (seed + 1, seed + 2):
        events, others = released(more, products=100)
        wanted += [(f"{product} {more}", *row) for product, *row in changes(events)]
        lost |= {(f"{product} {more}", *call): share for (product, *call), share in others.items()}
    calls = [row for row in wanted if row[:3] in lost]
    print(f"{'removed calls that are found, if none or half of them remained':<64} "
          + ", ".join(f"{sum(is_alarm(row) for row in calls if lost[row[:3]] == share)} of "
                      f"{sum(lost[row[:3]] == share for row in calls)}" for share in (0, 0.5)))
    others = [row for row in wanted if row[:3] not in lost]
    for limit in (2, 3, 4):
        print(f"{f'alarms at {limit} standard errors without a removed call':<64} "
              f"{sum(is_alarm(row, limit) for row in others)} of {len(others)}")
    check("more false alarms than one in a thousand", sum(map(is_alarm, others)) * 1000 > len(others), False)


def check_clocks(engine):
    """Corrects the times of devices with wrong clocks."""
    engine.create_tables()
    create_views(engine)
    now, rows = int(time.time() * 1000), []
    for number, ahead in enumerate((0, 20_000, -20_000, 3_600_000, -86_400_000, 5_000_000_000_000, -now, None)):
        rows += [{"event_id": f"{number}-{age}", "name": "n", "device_id": f"d{number}", "product": "DL",
                  "ts_ms": now + (ahead or 0) - age, **({} if ahead is None else {"sent_at": now + ahead})}
                 for age in (0, 60_000, 86_400_000)]
    engine.insert_rows("\n".join(map(json.dumps, rows)))
    found = {event: int(time) for event, time in engine.query("SELECT event_id, corrected_ms FROM awesome.event_times")}
    wrong = [row for row in rows if abs(found[row["event_id"]] - now + int(row["event_id"].split("-")[1])) > 30_000]
    check("times of wrong clocks that are still wrong", wrong, [])
    check("installations with a wrong clock, and their events",
          [(row[1], row[2]) for row in engine.query(statement_of("clock-errors"))],
          [(f"d{number}", "3") for number in (3, 4, 5, 6)])


def delete(engine, condition):
    engine.query(f"ALTER TABLE awesome.events DELETE WHERE {condition}")
    wait("the deletion ends", lambda: engine.number("SELECT count() FROM system.mutations WHERE NOT is_done") == 0)


def check_figures(engine, seed=81):
    """Compares figures with those computed here: after repetitions in other time zones, a dropped month, an erasure."""
    events, lost = shoppers(seed)
    engine.create_tables(lambda text: re.sub("PARTITION BY .*", "PARTITION BY toYYYYMM(toDate(intDiv(ts_ms, 1000)))",
                                             text))
    insert_in_zones(engine, events, random.Random(seed))
    setting = " SETTINGS enable_automatic_decision_for_merging_across_partitions_for_final = 0"
    check("table of an earlier version: events, each counted once",
          engine.number(f"SELECT count() FROM awesome.events FINAL{setting if engine.settings else ''}"), len(events))

    engine.create_tables()
    create_views(engine)
    insert_in_zones(engine, events, random.Random(seed))
    months = sorted({utc(event).strftime("%Y%m") for event in events})
    parts = "SELECT DISTINCT partition FROM system.parts WHERE database = 'awesome' AND table = 'events' AND active"
    check("partitions of events that came again in other time zones",
          sorted(row[0] for row in engine.query(parts)), months)
    check("events, each counted once", engine.stored(), len(events))
    engine.query("OPTIMIZE TABLE awesome.events FINAL")
    check("events, each stored once", engine.number("SELECT count() FROM awesome.events"), len(events))
    compare_figures(engine, events, "at first")

    engine.query(f"ALTER TABLE awesome.events DROP PARTITION {months[0]}")
    events = [event for event in events if utc(event).strftime("%Y%m") != months[0]]
    compare_figures(engine, events, "without the first month")
    check("missing numbers that no loss explains", sorted(numbers_between(events)[1] - lost), [])

    user = collections.Counter(event.user for event in events if event.user).most_common(1)[0][0]
    delete(engine, f"user_id = '{user}'")
    gone = {(event.device, event.product, event.seq) for event in events if event.user == user}
    events = [event for event in events if event.user != user]
    left = engine.number(f"SELECT count() FROM awesome.events WHERE user_id = '{user}'")
    check("rows of an erased user on disk", left, 0)
    compare_figures(engine, events, f"without a user's {len(gone)} events")
    check("missing numbers that neither a loss nor the erasure explains",
          sorted(numbers_between(events)[1] - lost - gone), [])
    check_extremes(engine, events)


def check_extremes(engine, events):
    """Adds clocks of 1969 and 2300, infinite totals, and actions within a millisecond, and runs each query."""
    engine.insert_rows("\n".join(map(as_row, extremes())))
    compare_figures(engine, [*events, *extremes()], "with extreme clocks and totals")
    for name, in engine.query("SELECT name FROM system.tables WHERE database = 'awesome' AND engine = 'View'"):
        engine.query(f"SELECT * FROM awesome.`{name}` LIMIT 1")
    results = {name: engine.query(statement) for name, _, _, statement in queries()}
    check("events with a wrong clock", [row for row in results["data-quality"] if row[2].startswith("clock")],
          [["DL", name, "clock before 2000 or after 2099", "1"] for name in ("basket_item_added", "product_viewed")])


def check_distributed(engine):
    """Compares the figures of a distributed table."""
    events, _ = shoppers(81)
    create_views(engine)
    engine.insert_rows("\n".join(map(as_row, events)))
    check_extremes(engine, events)
