#!/usr/bin/env bash
# Question: What does the official Python client store for a value that is not of the column's type?
# Guess: It raises, or converts in one way.
# Behaviour: 1.7 in an Int64 is 1 from insert() and 2 from insert_df(); None raises and NaN is 0; the text "false" in
# a Bool is true. A text that an Enum lacks is stored as 0, which no query of the column can show: all rows become
# unreadable.
# Versions: clickhouse-connect 1.12.0, chdb 4.4.0, pandas 3.1.1.

. "$(dirname "$0")/finding.bash"
python_packages clickhouse-connect==1.12.0 chdb==4.4.0 pandas==3.1.1

seen <<'END'
insert n=1.7: 1
insert_df n=1.7: 2
insert n=None: TypeError
insert_df n=None: 0
insert b='false': true
insert kind='view': view
insert kind='buy': Code: 691. DB::Exception: Unexpected value 0 in enum
END
compare python3 - <<'END'
import logging, clickhouse_connect, pandas

logging.disable()
client = clickhouse_connect.get_client(interface="chdb")

def show(label, column, value, insert):
    columns = "n Int64, b Bool, kind Enum8('view' = 1, 'add' = 2)"
    client.command(f"CREATE OR REPLACE TABLE events ({columns}) ENGINE = Memory")
    try:
        insert()
        stored = client.query(f"SELECT toString({column}) FROM events").result_rows[0][0]
    except Exception as error:
        stored = str(error).split(":  ")[0].split(": while")[0] if "Code" in str(error) else type(error).__name__
    print(f"{label} {column}={value!r}: {stored}")

def rows(column, value):
    show("insert", column, value, lambda: client.insert("events", [[value]], column_names=[column]))

def frame(column, value):
    series = pandas.DataFrame({column: pandas.Series([value], dtype="float64")})
    show("insert_df", column, value, lambda: client.insert_df("events", series))

rows("n", 1.7)
frame("n", 1.7)
rows("n", None)
frame("n", None)
rows("b", "false")
rows("kind", "view")
rows("kind", "buy")
END
