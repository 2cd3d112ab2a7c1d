#!/usr/bin/env bash
# Question: Does rsyslog pass a JSON line on as it came, if mmjsonparse reads it and a template writes `$!all-json`?
# Guess: Yes, apart from white space.
# Behaviour: Keys that differ only in case are one key, with the name of the first and the value of the last. A number
# above 2^63 becomes 9223372036854775807, so all such ids are equal. A missing number is 0 in a template with
# `datatype="number"`.
# Versions: rsyslog 8.2302.0-1+deb12u2 of Debian 12, libestr0 0.1.11-1, libfastjson4 1.2304.0-1.

. "$(dirname "$0")/finding.bash"
debian_packages rsyslog=8.2302.0-1+deb12u2 libestr0=0.1.11-1 libfastjson4=1.2304.0-1
rsyslogd=$folder/debian/usr/sbin/rsyslogd
"$rsyslogd" -v >/dev/null 2>&1 || cannot "rsyslogd needs a library that is missing here"

cat >events.ndjson <<'END'
{"id":"e-1","ID":"other","price":12.990,"device":16045690984503098046}
{"id":"e-2","device":16045690984503098047}
END
cat >rsyslog.conf <<END
module(load="imfile")
module(load="mmjsonparse")
global(workDirectory="$folder")
template(name="all" type="list") { property(name="\$!all-json") constant(value="\n") }
template(name="price" type="list" option.jsonf="on") {
    property(outname="price" name="\$!price" format="jsonf" datatype="number")
}
input(type="imfile" File="$folder/events.ndjson" Tag="events" ruleset="events" addMetadata="off")
ruleset(name="events") {
    action(type="mmjsonparse" cookie="")
    action(type="omfile" file="$folder/all" template="all")
    action(type="omfile" file="$folder/price" template="price")
}
END
seen <<'END'
{ "id": "other", "price": 12.990, "device": 9223372036854775807 }
{ "id": "e-2", "device": 9223372036854775807 }
{"price":12.990}
{"price":0}
END
daemon() {
    timeout 60 "$rsyslogd" -n -f rsyslog.conf -i "$folder/pid" -M "$LD_LIBRARY_PATH/rsyslog" &
    for ((tenths = 0; tenths < 300; tenths++)); do
        sleep 0.1
        [[ $(cat all price 2>/dev/null | wc -l) != 4 ]] || break
    done
    kill $!
    wait $! || true
    cat all price
}
compare daemon
