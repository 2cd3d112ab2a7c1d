#!/usr/bin/env bash
# Question: Does SQL over JSON mean the same in the SQLite of Debian 12 and in the current one?
# Guess: Yes, the JSON functions of both have the same documented names and operators.
# Behaviour: `attributes ->> 'session.id'`, a key as OpenTelemetry names them, is NULL in 3.40 and the value in 3.54.
# json_object writes a time in seconds with 15 digits in 3.40, so its last four digits of microseconds are gone, and
# 1e999 as `Inf`, which is no JSON; 3.54 writes the number exactly, and 9.0e+999.
# Versions: apsw 3.40.0.0, apsw 3.54.1.0.

. "$(dirname "$0")/finding.bash"
python_packages_in old apsw==3.40.0.0
python_packages_in new apsw==3.54.1.0

seen <<'END'
3.40: session.id None, last item None, time {"t":1772359200.12346}, infinite {"x":Inf}
3.54: session.id s-1, last item 2, time {"t":1772359200.1234565}, infinite {"x":9.0e+999}
END
cat >program.py <<'END'
import apsw

def one(query):
    return next(apsw.Connection(":memory:").cursor().execute(query))[0]

print(
    f"{one('SELECT sqlite_version()')[:4]}:",
    "session.id", str(one("""SELECT '{"session.id":"s-1"}' ->> 'session.id'""")) + ",",
    "last item", str(one("SELECT '[1,2]' ->> -1")) + ",",
    "time", one("SELECT json_object('t', 1772359200.1234565)") + ",",
    "infinite", one("SELECT json_object('x', 1e999)"),
)
END
both() { PYTHONPATH=old python3 program.py && PYTHONPATH=new python3 program.py; }
compare both
