#!/usr/bin/env bash
# Question: Narwhals runs one expression on many data frames. Which events have a price above 2, if one price is NaN?
# Guess: NaN is not above anything, on each of them.
# Behaviour: Polars and DuckDB order NaN above all numbers, so the event is found, and the median moves. pandas and
# pyarrow do not find it, but count it among the others.
# Versions: narwhals 2.28.0, pandas 3.1.1, polars 2.1.0, pyarrow 26.0.1, duckdb 2.0.1.

. "$(dirname "$0")/finding.bash"
python_packages narwhals==2.28.0 pandas==3.1.1 polars==2.1.0 pyarrow==26.0.1 duckdb==2.0.1

seen <<'END'
pandas: 1 above 2, 2 not above, median 2
pyarrow: 1 above 2, 2 not above, median 2
polars: 2 above 2, 1 not above, median 3
duckdb: 2 above 2, 1 not above, median 3
END
compare python3 - <<'END'
import duckdb, narwhals, pandas, polars, pyarrow

table = pyarrow.table({"price": [1.0, float("nan"), 3.0]})
above = narwhals.col("price") > 2
for name, frame in {
    "pandas": table.to_pandas(),
    "pyarrow": table,
    "polars": polars.from_arrow(table),
    "duckdb": duckdb.from_arrow(table),
}.items():
    row = narwhals.from_native(frame).lazy().select(
        above=above.sum(), others=(~above).sum(), median=narwhals.col("price").median()
    ).collect().rows()[0]
    print(f"{name}: {row[0]} above 2, {row[1]} not above, median {row[2]:g}")
END
