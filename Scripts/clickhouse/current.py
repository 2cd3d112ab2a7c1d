"""Tests schema, golden rows and queries with the current release of ClickHouse, as a library: current.py FOLDER FILE…

Each row is inserted twice and must count once. No row of an erased user may remain.
"""

import sys

from chdb.session import Session


def statements(path):
    lines = [line for line in open(path, encoding="utf-8") if not line.startswith("--")]
    return [text.strip() for text in "".join(lines).split(";") if text.strip()]


def number(session, query):
    return int(str(session.query(query, "TabSeparated")))


session = Session(sys.argv[1])
version = str(session.query("SELECT version()", "TabSeparated")).strip()
for statement in statements("Scripts/clickhouse/schema.sql"):
    session.query(statement)
rows = "".join(open(path, encoding="utf-8").read() for path in sys.argv[2:])
for _ in range(2):
    session.query(f"INSERT INTO awesome.events SETTINGS input_format_skip_unknown_fields = 1 FORMAT JSONEachRow {rows}")
stored = number(session, "SELECT count() FROM awesome.events FINAL")
expected = rows.count("\n")
for statement in statements("Scripts/clickhouse/queries.sql"):
    session.query(statement)
theirs = number(session, "SELECT count() FROM awesome.events FINAL WHERE user_id = 'u-8841'")
session.query("ALTER TABLE awesome.events DELETE WHERE user_id = 'u-8841' SETTINGS mutations_sync = 1")
left = number(session, "SELECT count() FROM awesome.events FINAL")
print(f"ClickHouse {version}: {stored} of {expected} golden rows, {left} after {theirs} were erased")
sys.exit(0 if stored == expected and theirs > 0 and left == stored - theirs else 1)
