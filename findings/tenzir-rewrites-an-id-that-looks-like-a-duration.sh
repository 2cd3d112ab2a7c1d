#!/usr/bin/env bash
# Question: Does a pipeline that reads JSON lines and writes JSON lines keep texts?
# Guess: Yes, texts in quotes stay as they are.
# Behaviour: Tenzir parses texts: "90m" comes out as "1.5h", "5m" as "5min", "2026-03-01" as a time, and "true"
# without quotes. One of two equal keys does not win: the value becomes a list of both. `raw=true` keeps the texts.
# Versions: tenzir 6.20.0.

. "$(dirname "$0")/finding.bash"
python_packages tenzir==6.20.0
tenzir=$folder/packages/bin/tenzir

cat >events.ndjson <<'END'
{"cable":"5m","sku":"90m","day":"2026-03-01","flag":"true","code":"007","dup":1,"dup":2}
END
seen <<'END'
{"cable":"5min","sku":"1.5h","day":"2026-03-01T00:00:00Z","flag":true,"code":"007","dup":[1,2]}
{"cable":"5m","sku":"90m","day":"2026-03-01","flag":"true","code":"007","dup":[1,2]}
END
pipelines() {
    for option in '' raw=true; do
        "$tenzir" "from_file \"$folder/events.ndjson\" { read_ndjson $option }
            write_ndjson"
    done
}
compare pipelines
