"""The analysts' queries: their clickstream, views and expected results."""

import json
import re

from harness import RECEIVER, Clickstream, Failure, Producer

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


# Three rows that break the tracking plan, of an installation that lost two.
FAULTY = [row(2, START, "1.0.0", "payment_selected", {"feature": "checkout", "screen": "checkout"}),
          row(3, START, "1.0.0", "payment_selected", {"feature": "checkout", "screen": 1, "payment": "card"}),
          row(5, START, "1.1.0", "paid", {})]
PLACE = {"feature": "checkout", "screen": "checkout"}
# Clocks of 1969 and 2300, and totals whose sum is infinite. One installation views, adds and buys within a second, and
# another one does so in the opposite order within a millisecond.
EXTREME = [
    row(1, -1_000, "1.0.0", "product_viewed", {**PLACE, "item_id": "10-11-12", "currency": "USD"}, "extreme"),
    row(2, 10_413_792_000_000, "1.0.0", "basket_item_added", {**PLACE, "item_id": "10-11-12"}, "extreme"),
    *[row(number, START, "1.0.0", "order_placed", {**PLACE, "total": 1e308, "currency": "USD"}, "extreme")
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
