"""Runs the calls in the tables of ReadTheTable.md, and compares what they read with the cells."""

import contextlib
import json
import os
import re
import sys
import tempfile

import chdb
import chdb.session
import datafusion
import duckdb
import ibis
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.json
import pyarrow.parquet

PAGE = "Modules/Services/AwesomeTracking/AwesomeTracking.docc/ReadTheTable.md"
SCHEMA = "Modules/Services/AwesomeTracking/ClickHouse/schema.sql"
LINES, ID = 30_000, 2**53 + 1
PACKAGES = {"DuckDB": duckdb, "Polars": polars, "pandas": pandas, "pyarrow": pyarrow, "DataFusion": datafusion,
            "Ibis": ibis, "chDB": chdb}


def last(frame):
    """Returns the last event of a frame of any package."""
    if isinstance(frame, duckdb.DuckDBPyRelation):
        rows = [dict(zip(frame.columns, row)) for row in frame.fetchall()]
    elif isinstance(frame, polars.DataFrame):
        rows = frame.to_dicts()
    elif isinstance(frame, pandas.DataFrame):
        rows = frame.to_dict("records")
    else:
        rows = frame.to_pylist()
    return next(row for row in rows if row["event_id"] == f"e-{LINES - 1}")


def export(folder):
    """Writes the files that the calls read."""
    session = chdb.session.Session(folder + "/data")
    for statement in re.sub("^--.*\n", "", open(SCHEMA, encoding="utf-8").read(), flags=re.MULTILINE).split(";\n"):
        if statement.strip():
            session.query(statement)
    lines = {"key": {"coupon": "X"}, "price": {"price": 5.5}, "id": {"order": ID}}
    for name, late in lines.items():
        rows = ({"event_id": f"e-{number}", "price": 5, **({"order": ID} if name == "id" and number == 0 else {}),
                 **(late if number == LINES - 1 else {})} for number in range(LINES))
        os.mkdir(f"{folder}/{name}")  # because readers keep the columns of a path
        with open(f"{folder}/{name}/events.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    rows = "\n".join(json.dumps({"event_id": f"e-{number}", "name": "order_placed", "ts_ms": 1_772_359_200_123, "props":
                                 json.dumps({"order": ID} if number % 2 else {})}) for number in range(LINES))
    session.query(f"INSERT INTO awesome.events FORMAT JSONEachRow {rows}")
    statement = re.search(r"```sql\n(.*?);\n```", open(PAGE, encoding="utf-8").read(), re.DOTALL)[1]
    for form, ending in (("Parquet", "parquet"), ("Arrow", "arrow"), ("JSONEachRow", "jsonl")):
        with open(f"{folder}/rows.{ending}", "wb") as file:
            file.write(session.query(statement, form).bytes())
    session.close()


def found(call):
    """Returns the last event that a call reads, or the error that it ends with."""
    try:
        return last(eval(call, {module.__name__: module for module in PACKAGES.values()}))
    except (Exception, pyarrow.ArrowInvalid) as error:
        return error


def spelled(value):
    kinds = {str: "a text", bytes: "bytes", int: "a number", float: "a number"}
    if hasattr(value, "tzinfo"):
        return "the instant" if value.tzinfo and value.timestamp() == 1_772_359_200 else "without a zone"
    return kinds.get(type(value), type(value).__name__)


def cells(call, folder):
    """Returns the cells of a call's line: of parameters in JSON lines, or of rows in a format."""
    os.chdir(folder)
    if "rows." in call:
        row = found(call)
        return ["an error"] * 3 if isinstance(row, Exception) else [
            spelled(row["kind"]), spelled(row["time"]), "exact" if str(row["order"]) == str(ID) else "**rounded**"]
    seen = []
    for name, key, right in (("key", "coupon", "X"), ("price", "price", 5.5), ("id", "order", ID)):
        os.chdir(f"{folder}/{name}")
        row = found(call)
        value = row if isinstance(row, Exception) else row.get(key)
        seen.append("an error" if value is row else "right" if str(value) == str(right) else
                    "**dropped**" if value is None or value != value else f"**{value:.16g}**")
    return seen


def main():
    text, wrong, count = open(PAGE, encoding="utf-8").read(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        export(folder)
        for name, call, *wanted in re.findall(r"^\| (\w+) \| `(.*)` \|" + r" (.*?) \|" * 3 + "$", text, re.MULTILINE):
            seen, count = cells(call, folder), count + 1
            if seen != wanted:
                wrong.append(f"| {name} | `{call}` | {' | '.join(seen)} |")
    versions = ", ".join(f"{name} {module.__version__}" for name, module in PACKAGES.items())
    if versions not in " ".join(text.split()):
        wrong.append(f"the versions: {versions}")
    print("\n".join([f"readers: {count} calls", *(f"the page differs: {line}" for line in wrong)]))
    sys.stdout.flush()
    os._exit(bool(wrong))  # chDB's own end may print about its threads


main()
