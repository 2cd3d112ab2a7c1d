#!/usr/bin/env bash
# Question: Rows are deleted by mistake and the same insert is repeated, without a token. Are they back?
# Guess: Yes: the table no longer has them, so nothing is a duplicate.
# Behaviour: The insert succeeds and stores nothing, since a table with a deduplication window (each replicated table
# has one) remembers inserts, not rows. DROP PARTITION forgets the inserts of its partition, DELETE does not. The
# setting `insert_deduplicate = 0`, which older releases need, has no effect any more: now it is `deduplicate_insert`.
# Versions: chdb 4.4.0.

. "$(dirname "$0")/finding.bash"
python_packages chdb==4.4.0

seen <<'END'
inserted: 2
deleted: 0
inserted again: 0
inserted again with insert_deduplicate = 0: 0
inserted again with deduplicate_insert = 'disable': 2
partition dropped: 0
inserted again: 2
END
compare python3 - <<'END'
from chdb import session

clickhouse = session.Session()
clickhouse.query("CREATE DATABASE a")
clickhouse.query("""CREATE TABLE a.events (id String, day Date) ENGINE = MergeTree
    PARTITION BY toYYYYMM(day) ORDER BY id SETTINGS non_replicated_deduplication_window = 100""")
INSERT = "INSERT INTO a.events {} VALUES ('e-1', '2026-03-01'), ('e-2', '2026-03-01')"

def step(label, statement):
    clickhouse.query(statement)
    print(f"{label}:", str(clickhouse.query("SELECT count() FROM a.events", "TSV")).strip())

step("inserted", INSERT.format(""))
step("deleted", "ALTER TABLE a.events DELETE WHERE id LIKE 'e-%' SETTINGS mutations_sync = 2")
step("inserted again", INSERT.format(""))
step("inserted again with insert_deduplicate = 0", INSERT.format("SETTINGS insert_deduplicate = 0"))
step("inserted again with deduplicate_insert = 'disable'", INSERT.format("SETTINGS deduplicate_insert = 'disable'"))
step("partition dropped", "ALTER TABLE a.events DROP PARTITION 202603")
step("inserted again", INSERT.format(""))
END
