#!/usr/bin/env bash
# Question: Does a query on `params` that worked on a day with few events work on a day with many kinds of events?
# Guess: Yes, more kinds only add fields that are null.
# Behaviour: Once objects have few keys in common, DuckDB makes them a MAP of JSON instead of a struct. Then
# `params.plan = 'free'` reads the text 'free' as JSON and fails, and `params.plan` has its quotes.
# Versions: duckdb 2.0.1.

. "$(dirname "$0")/finding.bash"
python_packages duckdb==2.0.1

seen <<'END'
one kind of event: STRUCT, params.plan is free, params.plan = 'free' finds 40
40 kinds of events: MAP, params.plan is "free", params.plan = 'free' fails: Conversion Error: Malformed JSON
40 kinds with map_inference_threshold = -1: STRUCT, params.plan is free, params.plan = 'free' finds 40
END
compare python3 - <<'END'
import duckdb, json

def write(name, kinds):
    with open(name, "w") as file:
        for index in range(40):
            file.write(json.dumps({"params": {"plan": "free", f"step_{index % kinds}": 1}}) + "\n")

def show(label, source):
    kind = str(duckdb.sql(f"FROM {source}").types[0]).split("(")[0]
    plan = duckdb.sql(f"SELECT any_value(params.plan)::VARCHAR FROM {source}").fetchall()[0][0]
    try:
        found = duckdb.sql(f"SELECT count(*) FROM {source} WHERE params.plan = 'free'").fetchall()[0][0]
        answer = f"finds {found}"
    except duckdb.Error as error:
        answer = "fails: " + str(error).split(" at ")[0]
    print(f"{label}: {kind}, params.plan is {plan}, params.plan = 'free' {answer}")

write("one.ndjson", 1)
write("many.ndjson", 40)
show("one kind of event", "read_json('one.ndjson')")
show("40 kinds of events", "read_json('many.ndjson')")
show("40 kinds with map_inference_threshold = -1", "read_json('many.ndjson', map_inference_threshold = -1)")
END
