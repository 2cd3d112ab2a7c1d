#!/usr/bin/env bash
# Question: An id above 2^53 is missing in one line. Does `dtype_backend="pyarrow"` read the other ids exactly?
# Guess: Yes, Arrow's int64 has missing values, so nothing has to be a float.
# Behaviour: The column is int64 with a missing value, and its ids are rounded: they were floats before. Only
# `engine="pyarrow"` as well reads them exactly.
# Versions: pandas 3.1.1, pyarrow 26.0.1.

. "$(dirname "$0")/finding.bash"
python_packages pandas==3.1.1 pyarrow==26.0.1

seen <<'END'
dtype_backend: int64[pyarrow] 9007199254740992 9007199254740996
dtype_backend and engine: int64[pyarrow] 9007199254740993 9007199254740995
END
compare python3 - <<'END'
import pandas

with open("events.ndjson", "w") as file:
    file.write('{"id":9007199254740993}\n{"name":"app_open"}\n{"id":9007199254740995}\n')

def show(label, **options):
    ids = pandas.read_json("events.ndjson", lines=True, dtype_backend="pyarrow", **options)["id"]
    print(f"{label}:", ids.dtype, ids[0], ids[2])

show("dtype_backend")
show("dtype_backend and engine", engine="pyarrow")
END
