"""Certificates, clickstreams and comparisons for the scripts that deliver to a ClickHouse."""

import collections
import json
import os
import random
import re
import subprocess
import time

from workplace import Failure, check, post, wait

# The statements and the configuration for operators and analysts.
RECEIVER = "Modules/Services/AwesomeTracking/ClickHouse"
HEADER = "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"
# The clicks in a table, with the same type names for all products.
CLICKS = """SELECT device_id, product, toUInt32(seq), multiIf(
    name IN ('product_viewed', 'pdp_view'), 'view',
    name IN ('order_placed', 'purchase_complete'), 'purchase',
    name = 'basket_item_added' OR visitParamExtractString(props, 'action') = 'add', 'cart',
    name = 'basket_item_removed' OR visitParamExtractString(props, 'action') = 'remove', 'remove_from_cart', name),
    visitParamExtractString(replaceOne(props, 'content_id', 'item_id'), 'item_id'), session_id
FROM awesome.events FINAL WHERE {} ORDER BY device_id, product, seq"""


class Authority:
    """A certificate for 127.0.0.1 that is its own authority in a run, and one that nobody uses."""

    def __init__(self, place):
        self.file, self.key, self.stranger = place.path("server.pem"), place.path("server.key"), place.path("stranger.pem")
        for certificate, key in ((self.file, self.key), (self.stranger, place.path("stranger.key"))):
            place.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=server",
                       "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate])


def statements(path):
    """Returns the statements of a file by the name in the comment above each, or by number."""
    found = {}
    for part in open(path, encoding="utf-8").read().split(";\n"):
        name = re.search(r"^-- ([a-z-]+)[:(]", part, re.MULTILINE)
        text = "\n".join(line for line in part.split("\n") if not line.startswith("--")).strip()
        if text:
            found[name[1] if name else len(found)] = text
    return found


class Engine:
    """A ClickHouse with the table `awesome.events` that a producer can deliver to. Subclasses start and stop it."""

    authority, password, limit = None, "", None
    server, settings = "portable", ""  # the client's setting, and the settings that it sends for an insert

    def headers(self):
        return {"X-ClickHouse-User": "admin", "X-ClickHouse-Key": self.admin}

    def ask(self, sql, settings="", url=None, headers=None):
        return post(f"{url or self.url}/?{settings}", sql, headers or self.headers(), self.authority)

    def query(self, sql, settings="", url=None):
        status, text = self.ask(sql, settings, url)
        if status != 200:
            raise Failure(f"the server answers {status}: {text}")
        return [line.split("\t") for line in text.splitlines()]

    def number(self, sql, url=None):
        rows = self.query(sql, url=url)
        return int(rows[0][0]) if rows else 0

    def stored(self):
        return self.number("SELECT count() FROM awesome.events FINAL")

    def run_file(self, path, change=lambda text: text):
        for statement in statements(path).values():
            self.query(change(statement))

    def create_tables(self, change=lambda text: text):
        self.query("DROP DATABASE IF EXISTS awesome")
        self.run_file(f"{RECEIVER}/schema.sql", change)

    def insert_rows(self, rows):
        self.query(f"INSERT INTO awesome.events FORMAT JSONEachRow {rows}", self.settings)

    def demo(self):
        """Returns the options and the environment with which a producer delivers here."""
        return ["--awesome-endpoint", self.url, "--awesome-user", "tracker"], {"AWESOME_PASSWORD": self.password}


def date_like(number):
    """Returns an item's id, which in most cases looks like a date or a time."""
    year, month, day = 2000 + number % 30, number % 13, number // 13 % 32
    forms = ("{0}-{1:02}-{2:02}", "{2:02}/{1:02}/{3:02}", "{3:02}-{1:02}-{2:02}", "{1}/{2}/{3}", "{0}{1:02}{2:02}",
             "{0}-{1:02}-{2:02}T{1:02}:00:00+03:00", "{0}-{1:02}-{2:02} {1:02}:00:00.5", "{1}.{2}", "SKU-{4}", "{4}")
    return forms[number % len(forms)].format(year, month, day, year % 100, number)


class Clickstream:
    """Rows in the REES46 columns. The same seed produces the same rows."""

    def __init__(self, text):
        lines = [line for line in text.splitlines() if line] or [""]
        names, wanted = lines[0].split(","), ("event_type", "product_id", "user_session")
        if not set(wanted) <= set(names):
            raise Failure(f"a clickstream has the columns {HEADER}")
        places = [names.index(name) for name in wanted]
        self.header, self.rows = lines[0], lines[1:]
        self.clicks = [tuple(row.split(",")[place] for place in places) for row in self.rows]

    @staticmethod
    def read(path):
        try:
            with open(path, encoding="utf-8") as file:
                return Clickstream(file.read())
        except (OSError, UnicodeDecodeError) as error:
            raise Failure(f"{path}: {error}") from None

    @staticmethod
    def made(count, seed, seconds=0.2, people=100_000_000, stay=15, start=1_569_888_000, name=str):
        """Returns rows of sixty concurrent visitors. A fifth of them sign in during their visit. `name` makes ids."""
        source = random.Random(seed)

        def below(bound):
            return int(source.random() * bound)

        def visit():
            session = "-".join("".join("%x" % below(16) for _ in range(digits)) for digits in (8, 4, 4, 4, 12))
            return {"session": session, "user": str(500_000_000 + below(people)), "item": 0, "filled": 0,
                    "anonymous": 2 if people < 1000 and below(5) == 0 else 0}

        def click(visitor):
            choice = below(100)
            if visitor["item"] and visitor["filled"] and choice >= 72 and choice < 84:
                visitor["filled"] -= 1
                return "purchase" if choice < 80 else "remove_from_cart"
            if visitor["item"] and choice >= 72:
                visitor["filled"] += 1
                return "cart"
            visitor["item"] = 1_000_000 + int(below(300) * (1 + below(1000)) / 1000)
            return "view"

        slots, lines = [visit() for _ in range(60)], [HEADER]
        for row in range(count):
            slot = below(60)
            if below(stay) == 0:
                slots[slot] = visit()
            visitor = slots[slot]
            kind, item = click(visitor), visitor["item"]
            user = "" if visitor["anonymous"] > 0 else visitor["user"]
            visitor["anonymous"] -= 1
            moment = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(start + int(row * seconds)))
            category = "apparel.shoes" if item % 3 else ""
            lines.append(f"{moment},{kind},{name(item)},20530135500000000{item % 40:02},{category},brand{item % 7},"
                         f"{5 + item % 200}.{item % 100:02},{user},{visitor['session']}")
        return Clickstream("\n".join(lines))


class Producer:
    """An installation: a queue of the demo, which delivers the rows of a clickstream, in one process after another."""

    def __init__(self, place, name, stream, engine, options=()):
        self.place, self.stream, self.engine, self.options = place, stream, engine, list(options)
        self.queue, self.read, self.process = place.path(f"queue-{name}"), 0, None

    def start(self, *options):
        more, environment = self.engine.demo()
        more = [] if "--offline" in options else more
        self.output = open(f"{self.queue}.out", "w+", encoding="utf-8")
        self.process = self.place.start(
            [f"{os.environ['BUILT']}/TrackerDemo", "--queue", self.queue, "--replay", "/dev/stdin", "--json", *more,
             *self.options, *options], stdin=subprocess.PIPE, stdout=self.output, stderr=self.output,
            env={**os.environ, **environment})
        self.feed_text(self.stream.header + "\n")
        return self

    def feed_text(self, text):
        try:
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # it was killed

    def feed(self, count=None):
        """Passes the next rows."""
        end = len(self.stream.rows) if count is None else min(self.read + count, len(self.stream.rows))
        self.feed_text("".join(row + "\n" for row in self.stream.rows[self.read:end]))
        self.read = end

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        """Ends the input, and returns whether everything was delivered."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        status = self.process.wait(timeout=180)
        self.output.seek(0)
        self.said = self.output.read()
        self.output.close()
        if status not in (0, 2):
            raise Failure(f"the demo ends with {status}: {self.said}")
        return status == 0

    def deliver(self, *options):
        """Delivers the remaining rows in a process, and returns whether everything was delivered."""
        self.start(*options).feed()
        return self.end()

    def deliver_all(self):
        if not self.deliver():
            raise Failure(f"the demo ends without having delivered everything: {self.said[-2000:]}")

    def finish(self):
        """Ends the input, and delivers in new processes whatever a receiver that comes back has not accepted."""
        if not self.end():
            self.drain(20)

    def drain(self, attempts=1):
        """Delivers stored events in new processes, because a start skips the client's wait."""
        for _ in range(attempts):
            self.start()
            if self.end():
                return
        raise Failure(f"the queue {self.queue} is not drained: {self.said}")


class Comparison(collections.namedtuple("Comparison", "expected arrived missing doubled disordered")):
    """The differences between clickstreams and a table."""

    @staticmethod
    def of(engine, streams, gaps=0, where="1"):
        """Compares each installation's events by id and, in the order of `seq`, with the rows of its file."""
        places, wanted = {}, collections.Counter()
        for number, stream in enumerate(streams):
            wanted.update(stream.clicks)
            places.update({session: number for _, _, session in stream.clicks})
        groups = collections.defaultdict(list)
        for device, product, seq, *click in engine.query(CLICKS.format(where)):
            groups[device, product].append((int(seq), tuple(click)))
        arrived = collections.Counter(click for group in groups.values() for _, click in group)
        disordered = 0
        for group in groups.values():
            sessions = {click[2] for _, click in group}
            number = next((places[session] for session in sessions if session in places), None)
            lines = [] if number is None else [click for click in streams[number].clicks if click[2] in sessions]
            disordered += lines != [click for _, click in group]
            disordered += [seq for seq, _ in group] != list(range(1, len(group) + 1)) and not gaps
        ids = engine.number(f"SELECT uniqExact(event_id) FROM awesome.events WHERE {where}")
        total = sum(arrived.values())
        return Comparison(sum(wanted.values()), total, sum((wanted - arrived).values()),
                          sum((arrived - wanted).values()) + total - ids, disordered)

    @property
    def differs(self):
        return self.missing > 0 or self.doubled > 0 or self.disordered > 0


def golden(folder, ending):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(ending))
