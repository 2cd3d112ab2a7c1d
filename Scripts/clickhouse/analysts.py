"""The analysts' queries: their clickstream, views and expected results, and the same figures computed here."""

import collections
import datetime
import json
import random
import re

from harness import RECEIVER, Clickstream, Failure, Producer, check, wait

START = 1_569_888_000_000
EXPECTED, QUERIES = "Scripts/clickhouse/expected.txt", f"{RECEIVER}/queries.sql"


def queries():
    """Returns the name, the kind of chart, the title and the statement of each query."""
    text = open(QUERIES, encoding="utf-8").read()
    pattern = r"^-- ([a-z-]+) \((\w+)\): (.*(?:\n-- .*)*)\n((?:.|\n)*?);$"
    return [(name, kind, re.sub(r"\n-- ", " ", title), statement)
            for name, kind, title, statement in re.findall(pattern, text, re.MULTILINE)]


def compact(members):
    return json.dumps(members, separators=(",", ":"))  # as the client writes it


def create_views(engine):
    for path in (f"{RECEIVER}/actions.sql", "Scripts/plan/views.sql"):
        engine.run_file(path)


def clickstream():
    """Returns three weeks of 300 users, of whom a fifth sign in during a session."""
    return Clickstream.made(1500, 37, seconds=1200, people=300)


def row(number, time, version, name, props, installation="invalid"):
    return json.dumps({"event_id": f"{installation}-{number}", "name": name, "ts_ms": time, "seq": number,
                       "device_id": installation, "session_id": installation, "product": "DL", "app_version": version,
                       "props": compact(props)})


# Three rows that break the tracking plan, of an installation that lost its first and its fourth event. The first number
# in the table is 2, so only the fourth event is missing.
FAULTY = [row(2, START, "1.0.0", "payment_selected", {"feature": "checkout", "screen": "checkout"}),
          row(3, START, "1.0.0", "payment_selected", {"feature": "checkout", "screen": 1, "payment": "card"}),
          row(5, START, "1.1.0", "paid", {})]
PLACE = {"feature": "checkout", "screen": "checkout"}
# Clocks of 1969 and 2300, and totals whose sum is infinite. One installation views, adds and buys within a second, and
# another one does so in the opposite order within a millisecond. The names of these installations sort after an id in
# hexadecimal.
EXTREME = [
    row(1, -1_000, "1.0.0", "product_viewed", {**PLACE, "item_id": "10-11-12", "currency": "USD"}, "outlier"),
    row(2, 10_413_792_000_000, "1.0.0", "basket_item_added", {**PLACE, "item_id": "10-11-12"}, "outlier"),
    *[row(number, START, "1.0.0", "order_placed", {**PLACE, "total": 1e308, "currency": "USD"}, "outlier")
      for number in (3, 4)],
    *[row(number, START + 5 * number, "1.0.0", name, PLACE, "quick")
      for number, name in enumerate(("product_viewed", "basket_item_added", "order_placed"), 1)],
    *[row(number, START, "1.0.0", name, PLACE, "reverse")
      for number, name in enumerate(("order_placed", "basket_item_added", "product_viewed"), 1)],
]


def load(place, engine, rows=(*FAULTY, *EXTREME)):
    """Replays the clickstream, and adds rows."""
    Producer(place, "analysts", clickstream(), engine, ["--awesome-server", engine.server]).deliver_all()
    engine.insert_rows("\n".join(rows))


def check_queries(place, engine, record=False):
    """Compares the results of all queries with the expected ones. `*` stands for any value there."""
    load(place, engine)
    create_views(engine)
    for name, in engine.query("SELECT name FROM system.tables WHERE database = 'awesome' AND engine = 'View'"):
        engine.query(f"SELECT * FROM awesome.`{name}` LIMIT 1")
    results = []
    for name, _, _, statement in queries():
        rows = [re.sub(r"\b[0-9a-f]{32}\b", "*", "\t".join(row)) for row in engine.query(statement)]
        if name == "latency":
            rows = [re.sub(r"(\t\d+){3}$", "\t*\t*\t*", row) for row in rows]
        results.append("\n".join([f"# {name}", *rows, ""]))
    text = "\n".join(results)
    if record:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write(text)
    expected = open(EXPECTED, encoding="utf-8").read()
    if text != expected:
        lines = [pair for pair in zip(text.split("\n"), expected.split("\n")) if pair[0] != pair[1]]
        raise Failure(f"the queries' results differ from {EXPECTED}: {lines[:3]}")
    print(f"{'queries of the analysts, with the expected results':<64} {len(results)}")


ZONES = ("UTC", "Europe/Istanbul", "America/New_York", "Pacific/Kiritimati")
BORDERS = [datetime.datetime(2026, month, 1, tzinfo=datetime.UTC) for month in (2, 3, 4)]
# An event's key of the item and of the total by product, and the names with their actions.
KEYS = {"DL": ("item_id", "total"), "TY": ("content_id", "cart_total")}
NAMES = {"DL": {"product_viewed": "view", "basket_item_added": "add", "basket_item_removed": "remove",
                "order_placed": "buy", "listing_viewed": ""},
         "TY": {"pdp_view": "view", "pdp_cart_change": "", "purchase_complete": "buy", "cart_viewed": ""}}
TEXTS = ["{", "}]", '"', "\\", '\\"', '{"total":3,"currency":"EUR"}', "[[", "Kadın > Giyim", "", "total", "a\nb"]
Event = collections.namedtuple("Event", "id name time seq session device user product version props")


def nested(source, depth=3):
    """Returns a value with lists, objects, and the keys of an order at any depth."""
    kind = source.randrange(5)
    if depth == 0 or kind == 0:
        return source.choice([*TEXTS, 7.5, -1, True, None])
    if kind == 1:
        return [nested(source, depth - 1) for _ in range(source.randrange(4))]
    names = ["total", "cart_total", "currency", "item_id", "content_id", "action", "name"]
    return {name: nested(source, depth - 1) for name in source.sample(names, source.randrange(1, 4))}


def parameters(source, product, name):
    """Returns the parameters of an event in any order. Each of the event's own keys can be missing."""
    item, total = KEYS[product]
    own = [(item, f"SKU-{source.randrange(40)}"), ("currency", source.choice(["TRY", "USD"])),
           (total, source.randrange(4000) / 4), ("brand", source.choice(TEXTS))]
    members = [member for member in own if source.random() < 0.9]
    if name == "pdp_cart_change":
        members.append(("action", source.choice(["add", "remove"])))
    members += [(key, nested(source)) for key in ("items", "cart") if source.random() < 0.4]
    return dict(source.sample(members, len(members)))


def shoppers(seed):
    """Returns the arrived events of installations around the ends of months, and the lost numbers.

    A session has no user, one who signs in, or two. Some events have no session. Each installation is updated twice.
    """
    source, accepted = random.Random(seed), []
    for device in range(40):
        numbers, count = collections.Counter(), source.randrange(12, 50)
        seconds = [source.choice([source.randrange(-1_200_000, 1_200_000), source.randrange(-50_400, 50_400)])
                   for _ in range(count)]
        times = sorted(int(source.choice(BORDERS).timestamp() + second) * 1000 + source.randrange(1000)
                       for second in seconds)
        session, users = "", [""]
        for place, time in enumerate(times):
            if source.randrange(5) == 0:
                session = source.choice(["", f"session-{device}-{place}", f"session-{device}-{place}"])
                users = source.choice([[""], [f"u{source.randrange(30)}"], [f"u{source.randrange(30)}" for _ in "ab"]])
            product = source.choice(["DL", "TY"])
            name = source.choice(list(NAMES[product]))
            numbers[product] += 1
            accepted.append(Event(
                f"{device}-{place}", name, time, numbers[product], session, f"device-{device}",
                source.choice(["", *users]), product, f"1.{3 * place // count}.0", parameters(source, product, name)))
    lost = {event for event in range(len(accepted)) if source.random() < 0.04}
    return ([event for number, event in enumerate(accepted) if number not in lost],
            {(accepted[number].device, accepted[number].product, accepted[number].seq) for number in lost})


def as_row(event):
    return json.dumps({"event_id": event.id, "name": event.name, "ts_ms": event.time, "seq": event.seq,
                       "session_id": event.session, "device_id": event.device, "user_id": event.user,
                       "product": event.product, "app_version": event.version, "schema": 1,
                       "props": json.dumps(event.props, separators=(",", ":"), ensure_ascii=False)})


def utc(event):
    return datetime.datetime.fromtimestamp(event.time // 1000, datetime.UTC)


def actions(events):
    """Returns each action with its kind, its item, its currency and its revenue."""
    for event in events:
        kind, (item, total) = NAMES[event.product][event.name], KEYS[event.product]
        if event.name == "pdp_cart_change":
            kind = event.props["action"]
        if kind:
            yield (event, kind, event.props.get(item, ""), event.props.get("currency", ""),
                   event.props.get(total, 0) if kind == "buy" else 0)


def people(events):
    """Returns the person of each action, and whether it is a user, by the action's event."""
    found, users = {}, collections.defaultdict(set)
    for event, *_ in actions(events):
        if event.user and event.session:
            users[event.product, event.session, event.device].add(event.user)
    for event, *_ in actions(events):
        theirs = {event.user} if event.user else users[event.product, event.session, event.device]
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


def figures(events):
    """Returns the rows of the views and queries by person, of `revenue` and of `completeness`."""
    person, day, week = people(events), collections.defaultdict(set), collections.defaultdict(list)
    rows, stitching = [], {product: [0, 0, set()] for product in KEYS}
    for event, kind, _, currency, revenue in actions(events):
        (name, known), date = person[event.id], utc(event).date()
        rows.append((event.product, event.session, event.seq, date, kind, name, int(known), int(not event.user),
                     currency, float(revenue)))
        day[date, event.product].add(name)
        if kind == "buy":
            week[date - datetime.timedelta(date.weekday()), event.product, currency].append((revenue, name))
        if not event.user:
            stitching[event.product][0] += 1
            stitching[event.product][1] += known
            stitching[event.product][2] |= {name} if known else set()
    return {
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
    engine.query(f"ALTER TABLE awesome.events DELETE WHERE user_id = '{user}'")
    wait("the deletion ends",
         lambda: engine.number("SELECT count() FROM system.mutations WHERE NOT is_done") == 0)
    gone = {(event.device, event.product, event.seq) for event in events if event.user == user}
    events = [event for event in events if event.user != user]
    compare_figures(engine, events, f"without a user's {len(gone)} events")
    check("missing numbers that neither a loss nor the erasure explains",
          sorted(numbers_between(events)[1] - lost - gone), [])
