"""The analysts' queries, on the rows that a scenario has left."""

from harness import statements


def check_queries(place, engine, record=False):
    for path in ("Scripts/clickhouse/actions.sql", "Scripts/plan/views.sql"):
        engine.run_file(path)
    for name, statement in statements("Scripts/clickhouse/queries.sql").items():
        print(f"{name}: {engine.query(statement)[:3]}")
    for name in engine.query("SELECT name FROM system.tables WHERE database = 'awesome' AND engine = 'View'"):
        engine.query(f"SELECT * FROM awesome.`{name[0]}` LIMIT 1")
