#!/usr/bin/env bash
# Question: An insert repeats a deduplication token with other rows. Are these rows skipped?
# Guess: Yes: with a token the content does not matter.
# Behaviour: Only in partitions that have had the token. A partition by month stores the rows of a month that the
# first insert did not touch, also those of an insert whose other rows are skipped.
# Versions: chdb 4.4.0.

. "$(dirname "$0")/finding.bash"
python_packages chdb==4.4.0

seen <<'END'
token a, March: ['march-1']
token a again, March: ['march-1']
token a again, March and April: ['april-3','march-1']
END
compare python3 - <<'END'
from chdb import session

clickhouse = session.Session()
clickhouse.query("CREATE DATABASE a")
clickhouse.query("""CREATE TABLE a.events (id String, day Date) ENGINE = MergeTree
    PARTITION BY toYYYYMM(day) ORDER BY id SETTINGS non_replicated_deduplication_window = 100""")

def insert(label, rows):
    clickhouse.query(f"INSERT INTO a.events SETTINGS insert_deduplication_token = 'a' VALUES {rows}")
    ids = clickhouse.query("SELECT arraySort(groupArray(id)) FROM a.events", "TSV")
    print(f"{label}:", str(ids).strip())

insert("token a, March", "('march-1', '2026-03-01')")
insert("token a again, March", "('march-2', '2026-03-01')")
insert("token a again, March and April", "('march-3', '2026-03-01'), ('april-3', '2026-04-01')")
END
