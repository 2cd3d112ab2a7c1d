"""The analysts' queries: their clickstream, views and expected results."""

import json
import re

from harness import Clickstream, Failure, Producer

EXPECTED, QUERIES = "Scripts/clickhouse/expected.txt", "Scripts/clickhouse/queries.sql"


def queries():
    """Returns the name, the kind of chart, the title and the statement of each query."""
    text = open(QUERIES, encoding="utf-8").read()
    pattern = r"^-- ([a-z-]+) \((\w+)\): (.*(?:\n-- .*)*)\n((?:.|\n)*?);$"
    return [(name, kind, re.sub(r"\n-- ", " ", title), statement)
            for name, kind, title, statement in re.findall(pattern, text, re.MULTILINE)]


def compact(members):
    return json.dumps(members, separators=(",", ":"))  # as the client writes it


def create_views(engine):
    for path in ("Scripts/clickhouse/actions.sql", "Scripts/plan/views.sql"):
        engine.run_file(path)


def clickstream():
    """Returns three weeks of 300 users, of whom a fifth sign in during a session."""
    return Clickstream.made(1500, 37, seconds=1200, people=300)


def load(place, engine):
    """Replays the clickstream, and adds three rows that break the tracking plan, of an installation that lost two."""
    Producer(place, "analysts", clickstream(), engine).deliver_all()
    faulty = [(2, "1.0.0", "payment_selected", {"feature": "checkout", "screen": "checkout"}),
              (3, "1.0.0", "payment_selected", {"feature": "checkout", "screen": 1, "payment": "card"}),
              (5, "1.1.0", "paid", {})]
    rows = [json.dumps({"event_id": f"invalid-{number}", "name": name, "ts_ms": 1_569_888_000_000, "seq": number,
                        "device_id": "invalid", "session_id": "invalid", "product": "DL", "app_version": version,
                        "props": compact(props)}) for number, version, name, props in faulty]
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
