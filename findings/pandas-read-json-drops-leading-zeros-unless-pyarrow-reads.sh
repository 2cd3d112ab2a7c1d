#!/usr/bin/env bash
# Question: Does `engine="pyarrow"` of pandas' read_json change anything but the speed?
# Guess: No.
# Behaviour: The default engine makes the text "007" the number 7 and a whole number under a key that ends with `_at`
# a date. The other engine keeps both as they are in the file.
# Versions: pandas 3.1.1, pyarrow 26.0.1.

. "$(dirname "$0")/finding.bash"
python_packages pandas==3.1.1 pyarrow==26.0.1

seen <<'END'
default: user_id 7, received_at 2026-03-01 10:00:00, ts_ms 1772359200123
pyarrow: user_id 007, received_at 1772359200, ts_ms 1772359200123
dtype=False: user_id 007, received_at 1772359200, ts_ms 1772359200123
END
compare python3 - <<'END'
import pandas

with open("events.ndjson", "w") as file:
    file.write('{"user_id":"007","received_at":1772359200,"ts_ms":1772359200123}\n')

def show(label, **options):
    row = pandas.read_json("events.ndjson", lines=True, **options).iloc[0]
    print(f"{label}:", ", ".join(f"{key} {row[key]}" for key in row.index))

show("default")
show("pyarrow", engine="pyarrow")
show("dtype=False", dtype=False)
END
