"""The scenarios of Scripts/integration, each with an empty table."""

import argparse
import contextlib
import faulthandler
import os
import re
import signal
import subprocess
import sys
import threading
import time

import analysts
import codes
import generated
import report
import values
from engines import Debian, Modern
from harness import RECEIVER, Clickstream, Comparison, Engine, Producer, date_like, golden
from workplace import Failure, Workplace, check, wait

PAGE = "Modules/Services/AwesomeTracking/AwesomeTracking.docc/FromOneMachineToACluster.md"
OTLP, GOLDEN = "Scripts/clickhouse/otlp", "Tests/Services/AwesomeTrackingTests/Fixtures"


class Scenarios:
    def __init__(self, place, engine, stream, options=()):
        self.place, self.engine, self.stream, self.options = place, engine, stream, list(options)
        self.count, self.different = len(stream.rows), False

    def producer(self, name, stream=None, options=()):
        return Producer(self.place, f"{name}-{len(self.place.processes)}", stream or self.stream, self.engine,
                        [*self.options, *options])

    def begin(self, change=lambda text: text):
        self.engine.create_tables(change)

    def compare(self, title, streams=None, gaps=0):
        found = Comparison.of(self.engine, streams or [self.stream], gaps)
        print(f"{title:<44} {found.expected:>7} {found.arrived:>8} {found.missing:>8} {found.doubled:>8} "
              f"{found.disordered:>9}", flush=True)
        self.different |= found.differs
        if self.engine.server == "modern":
            self.compare_columns(title)

    def compare_columns(self, title):
        """Compares the JSON column with `props`, if the client has sent the settings that it needs."""
        text = "if(name = 'product_viewed', visitParamExtractString(props, 'item_id'), '')"
        item = "if(name = 'product_viewed', ifNull(properties.item_id.:String, ''), '')"
        filled, wrong = self.engine.query(
            f"SELECT countIf(notEmpty(JSONAllPaths(properties))), countIf({item} != {text}) "
            "FROM awesome.events FINAL")[0]
        expected = ("0", self.engine.query(f"SELECT countIf({text} != '') FROM awesome.events FINAL")[0][0])
        if "modern" in self.options:
            expected = (str(self.engine.stored()), "0")
        if (filled, wrong) != expected:
            raise Failure(f"{title}: JSON columns, and those with another item: {filled} and {wrong}, not {expected}")

    def deliver_straight(self):
        self.begin()
        self.producer("straight").deliver_all()
        self.compare("straight")

    def restart_the_server(self):
        """Stops the server between two rows, first by SIGTERM and then by SIGKILL. It starts again while rows wait."""
        self.begin()
        producer = self.producer("restarted").start()
        for number in (signal.SIGTERM, signal.SIGKILL):
            before = self.engine.stored()
            producer.feed(self.count // 3)
            wait("rows arrive", lambda: self.engine.stored() > before)
            self.engine.stop(number)
            producer.feed(self.count // 6)
            self.engine.start()
        producer.feed()
        producer.end()
        producer.drain()
        self.compare("server stopped, then killed")

    def kill_the_producer(self):
        """Kills the demo while it reads, stores and sends. The stored rows must be the beginning of the file."""
        self.begin()
        producer, places = self.producer("killed"), []
        for _ in range(3):
            producer.start()
            feeding = threading.Thread(target=producer.feed, args=[(self.count - producer.read) * 2 // 3])
            feeding.start()
            wait("rows arrive", lambda: self.engine.stored() > sum(places[-1:]))
            producer.kill()
            feeding.join()
            producer.drain()
            producer.read = self.engine.stored()
            places.append(producer.read)
        producer.deliver()
        self.compare("demo killed three times")
        print(f"{'':<44} killed after rows {places}")

    def lose_all_acknowledgements(self):
        """Delivers a copy of a queue, and then the queue itself."""
        self.begin()
        producer = self.producer("first")
        producer.deliver("--offline")
        subprocess.run(["cp", "-r", producer.queue, f"{producer.queue}-copy"], check=True)
        producer.drain()
        os.rename(producer.queue, f"{producer.queue}-done")
        os.rename(f"{producer.queue}-copy", producer.queue)
        producer.drain()
        self.compare("all acknowledgements lost")

    def kill_between_insert_and_response(self):
        """Kills the receiver after an insert and before its response. The client sends the same batch again."""
        for server in ("portable", "modern"):
            self.options = ["--awesome-server", server]
            self.begin()
            open(self.place.path("trap"), "w", encoding="utf-8").close()
            producer = self.producer(f"trap-{server}").start()
            producer.feed()
            wait("the receiver dies", lambda: self.engine.process.poll() is not None)
            self.engine.start()
            self.engine.query("SYSTEM STOP MERGES awesome.events")  # which would remove the rows that came again
            producer.end()
            producer.drain()
            self.compare(f"receiver killed after insert, {server}")
            if server == "modern":
                stored = self.engine.number("SELECT count() FROM awesome.events")
                check("rows inserted again in spite of the token", stored - self.count, 0)
        self.options = []

    def refuse_a_row(self):
        """Uses a table with numeric users. It refuses the row of a guest; the other rows of the request arrive."""
        self.begin(lambda text: text.replace("user_id String", "user_id UInt64"))
        rows = list(self.stream.rows[:3000])
        middle = len(rows) // 2
        rows[middle] = re.sub(r",\d*,([^,]*)$", r",guest,\1", rows[middle])
        producer = self.producer("guest", Clickstream("\n".join([self.stream.header, *rows])))
        if producer.deliver() or '"quarantined":1,' not in producer.said:
            raise Failure(f"the refused row is not in quarantine: {producer.said}")
        del rows[middle]
        self.compare("one row refused", [Clickstream("\n".join([self.stream.header, *rows]))], gaps=1)

    def lack_a_column_and_the_table(self):
        """Uses a table without two columns, which the server ignores, and then none, until it is created again."""
        self.begin(lambda text: text.replace("    app_version String,\n    schema UInt16,\n", ""))
        self.producer("columns").deliver()
        self.compare("two columns unknown to the table")
        self.begin()
        self.engine.query("DROP TABLE awesome.events")
        producer = self.producer("table")
        if producer.deliver() or "the receiver has no such table" not in producer.said:
            raise Failure(f"a missing table is not named: {producer.said}")
        self.begin()
        producer.drain()
        self.compare("no table, then a table")

    def send_too_much(self):
        """Uses a receiver that refuses bodies above a size. The client sends smaller parts."""
        self.engine.stop()
        self.engine.limit = 4000
        self.engine.start()
        self.begin()
        before = self.engine.statuses().count(413)
        producer = self.producer("oversized")
        producer.deliver("--offline")
        producer.drain(3)
        self.compare("bodies over the receiver's limit")
        if self.engine.statuses().count(413) == before:
            raise Failure("no body was over the limit")
        self.engine.stop()
        self.engine.limit = None
        self.engine.start()

    def refuse_the_password(self):
        self.begin()
        producer, known = self.producer("password"), self.engine.password
        self.engine.password = "wrong"
        if producer.deliver() or "the receiver refuses the credentials" not in producer.said:
            raise Failure(f"a wrong password is not named: {producer.said}")
        check("arrived with a wrong password", self.engine.stored(), 0)
        self.engine.password = known
        producer.drain()
        self.compare("wrong password, then the right one")

    def receive_otlp(self, schema):
        """Sends the other wire format to a receiver that uses the official definitions and is busy at first.

        Returns the facts that a receiver with these definitions finds in the golden bodies.
        """
        port, clicks = self.place.path(f"port-{schema}"), self.place.path(f"clicks-{schema}")
        packages = os.path.abspath(f".build/integration-python/{schema}") if schema != "newest" else ""
        environment = {**os.environ, "PYTHONPATH": f"{packages}:{os.environ['PYTHONPATH']}"}
        receiver = self.place.start([sys.executable, f"{OTLP}/receiver.py", port, clicks], stdin=subprocess.PIPE,
                                    env=environment)
        wait("the receiver of OTLP comes up", lambda: os.path.exists(port) and open(port, encoding="utf-8").read())
        address = f"http://127.0.0.1:{open(port, encoding='utf-8').read().strip()}"
        producer, known = self.producer(f"otlp-{schema}"), self.engine.demo
        self.engine.demo = lambda: (["--awesome-format", "otlp", "--awesome-endpoint", address], {})
        delivered = producer.deliver()
        self.engine.demo = known
        receiver.stdin.close()
        receiver.wait()
        arrived = sorted(tuple(line.split("\t")) for line in open(clicks, encoding="utf-8").read().splitlines())
        check(f"by OTLP ({schema}), busy at first: delivered, as in the file",
              (delivered, len(arrived), arrived == sorted(self.stream.clicks)), (True, self.count, True))
        bodies = [sys.executable, f"{OTLP}/check.py", *golden(GOLDEN, ".json")]
        found = subprocess.run(bodies, check=True, capture_output=True, text=True, env=environment)
        print(found.stderr.strip())
        return found.stdout

    def insert_golden_rows(self):
        """Inserts the golden bodies twice, as they are in the repository. Each row must count once."""
        self.begin()
        rows = "".join(open(path, encoding="utf-8").read() for path in golden(GOLDEN, ".ndjson"))
        for _ in range(2):
            self.engine.query(f"INSERT INTO awesome.events FORMAT JSONEachRow {rows}",
                              "input_format_skip_unknown_fields=1")
        check("golden rows, inserted twice", self.engine.stored(), rows.count("\n"))

    def read_values_back(self):
        """Inserts random values with both settings of the client, and reads each one back."""
        rows = generated.rows(3000, 11)
        for server, settings in (("portable", ""), ("modern", self.engine.settings)):
            if server == "modern" and not settings:
                continue
            self.begin()
            self.engine.query("INSERT INTO awesome.events FORMAT JSONEachRow " + "\n".join(rows), settings)
            found = values.differences(self.engine, rows, settings)
            check(f"random values that differ when they are read, {server}", found, [])

    def repeat_tokens(self):
        """Inserts rows with the same token, with another one, and without, and runs the statements of the page."""
        self.begin()
        row, known = '{"event_id":"%s","name":"n","ts_ms":1772359200123,"props":"{}"}', []
        for event, settings in (("a", "insert_deduplication_token=t1"), ("b", "insert_deduplication_token=t1"),
                                ("a", "insert_deduplication_token=t2"), ("c", ""), ("c", ""),
                                ("d", "wait_for_async_insert=0&async_insert_use_adaptive_busy_timeout=0"
                                      "&async_insert_busy_timeout_max_ms=60000")):
            self.engine.query("INSERT INTO awesome.events FORMAT JSONEachRow " + row % event, settings)
            known.append(self.engine.number("SELECT count() FROM awesome.events"))
        check("rows after a token, it again, another one, none, none again, and without waiting", known,
              [1, 1, 2, 3, 3, 4])
        check("events, each counted once", self.engine.stored(), 3)
        self.begin()
        block = re.search(r"```sql\n(.*?);\n```", open(PAGE, encoding="utf-8").read(), re.DOTALL)[1]
        answers = [self.engine.query(statement) for statement in block.split(";\n")]
        check("the statements of the page", answers[-1], [["1", "1", "0"]])

    def fill_the_json_column(self):
        """Adds the JSON column to a table with a row, and fills it with the statement in the comment of modern.sql."""
        Engine.create_tables(self.engine)
        self.engine.insert_rows('{"event_id":"a","name":"n","props":"{\\"item_id\\":\\"10-11-12\\"}"}')
        self.engine.run_file(f"{RECEIVER}/modern.sql")
        item = "SELECT count(), any(toString(properties)) FROM awesome.events FINAL"
        check("an old row, before its JSON column is filled", self.engine.query(item), [["1", "{}"]])
        comment = open(f"{RECEIVER}/modern.sql", encoding="utf-8").read()
        self.engine.query(re.search(r"--     (INSERT .*?);", comment, re.DOTALL)[1].replace("\n--", "\n"))
        check("the row after that", self.engine.query(item), [["1", '{"item_id":"10-11-12"}']])

    def upgrade_the_table(self):
        """Adds the materialized columns to a table of an earlier version. Old rows stay valid."""
        self.begin(lambda text: re.sub(r"props String,\n.*(?=\n\)\nENGINE)", "props String", text, flags=re.DOTALL))
        row = '{"event_id":"%s","name":"n","ts_ms":1772359200123,"props":"{\\"platform\\":\\"ios\\"}"}'
        self.engine.query("INSERT INTO awesome.events FORMAT JSONEachRow " + row % "old")
        self.engine.run_file(f"{RECEIVER}/upgrade.sql")
        self.engine.query("INSERT INTO awesome.events FORMAT JSONEachRow " + row % "new")
        rows = self.engine.query("SELECT event_id, toUInt32(received_at) > 0, platform, country FROM awesome.events "
                                 "ORDER BY event_id")
        check("upgraded table: new and old row", rows, [["new", "1", "ios", ""], ["old", "0", "ios", ""]])

    def measure(self):
        """Measures the figures for sizing a receiver, with the stored rows inserted again."""
        self.begin()
        self.producer("measured").deliver()
        status, text = self.engine.ask("SELECT * FROM awesome.events FINAL FORMAT JSONEachRow")
        lines = text.splitlines(keepends=True)
        for size in (25, 1000):
            parts = ["".join(lines[start:start + size]) for start in range(0, min(len(lines), size * 40), size)]
            start = time.monotonic()
            for part in parts:
                self.engine.query(f"INSERT INTO awesome.events FORMAT JSONEachRow {part}")
            rows = sum(part.count("\n") for part in parts)
            print(f"{f'rows a second from one sender, in requests of {size}':<64} "
                  f"{rows / (time.monotonic() - start):.0f}")
        print(f"{'bytes a row: JSON':<64} {len(text) // max(len(lines), 1)}")


def single(place, options):
    engine = (Modern if options.modern else Debian)(place)
    stream = Clickstream.read(options.replay) if options.replay else \
        Clickstream.made(6000 if options.modern else 20000, 7, name=date_like)
    print(f"integration: {engine.name} {engine.version()}, {len(stream.rows)} rows\n")
    print(f"{'scenario':<44} {'in file':>7} {'arrived':>8} {'missing':>8} {'doubled':>8} {'disorder':>9}")
    different = False
    for server in ("portable", "modern") if options.modern else ("portable",):
        scenarios = Scenarios(place, engine, stream, ["--awesome-server", server])
        print(f"wire setting: {server}")
        scenarios.deliver_straight()
        scenarios.restart_the_server()
        scenarios.kill_the_producer()
        scenarios.lose_all_acknowledgements()
        scenarios.refuse_a_row()
        scenarios.lack_a_column_and_the_table()
        if options.modern:
            scenarios.send_too_much()
        scenarios.refuse_the_password()
        different |= scenarios.different
    if options.modern:
        scenarios.kill_between_insert_and_response()
        scenarios.repeat_tokens()
        scenarios.fill_the_json_column()
        analysts.check_traits(engine)
    check("by OTLP: definitions that find the same facts",
          len({scenarios.receive_otlp("newest"), scenarios.receive_otlp("otlp-1.27.0")}), 1)
    scenarios.insert_golden_rows()
    scenarios.read_values_back()
    scenarios.upgrade_the_table()
    scenarios.measure()
    codes.check_single(engine, "modern" if options.modern else "debian")
    for seed in (81, 82):
        analysts.check_figures(engine, seed)
    check("report: an infinite total is an error instead of a chart",
          report.page(engine, "").count("No chart: total is inf for 2026-02-23 · Dolap Lite · USD."), 1)
    analysts.check_typed_views(engine)
    analysts.check_releases(engine)
    check("report: an event that a release has lost", "<td>vanished" in re.sub(' class="[a-z]*"', "",
          report.page(engine, "").partition('id="release-alarm"')[2].partition("</table>")[0]), True)
    analysts.check_clocks(engine)
    return different or scenarios.different


def main():
    faulthandler.register(signal.SIGUSR1)
    parser = argparse.ArgumentParser(add_help=False)
    for flag in ("--modern", "--cluster", "--keep"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--replay")
    parser.add_argument("--faults", default="")
    options = parser.parse_args()
    start = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with contextlib.closing(Workplace()) as place:
            if options.cluster:
                import cluster
                different = cluster.run(place, options)
            else:
                different = single(place, options)
        if different:
            raise Failure("the table differs from the file")
        print(f"integration: nothing lost, nothing counted twice ({time.monotonic() - start:.0f} s)")
    except (Failure, subprocess.SubprocessError) as failure:
        sys.exit(f"integration: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)


main()
