"""Compares the codes of ClickHouseResponses with those that real servers return."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

from workplace import Failure, post

# A table with columns that can refuse a row.
ROWS = """CREATE TABLE awesome.rows (n UInt8, p UInt8, e Enum8('a' = 1), u UUID, i IPv4, j IPv6, m Decimal(3, 1),
    f FixedString(2), b Bool, a Array(UInt8), x Nested(a UInt8, b UInt8), w UInt8 MATERIALIZED throwIf(n = 3),
    CONSTRAINT c CHECK n < 5) ENGINE = MergeTree() ORDER BY n PARTITION BY p"""
SOURCE = "Modules/Services/AwesomeTracking/ClickHouseResponse.swift"


def code_of(answer):
    found = re.search(r"Code: (\d+)", answer[1])
    return int(found[1]) if found else 0


def report(found):
    """Fails if a response has another code. Prints the codes that were returned, and the rest of the table."""
    wrong = [(code, name, code_of(answer)) for code, name, answer in found if code_of(answer) != code]
    if wrong:
        raise Failure(f"expected code, request and returned code: {wrong}")
    source = open(SOURCE, encoding="utf-8").read()
    table = {int(code) for code in re.findall(r"(\d+): \.(?:retry|paused)", source)}
    table |= {int(code) for code in re.findall(r"\d+", re.search(r"faultsOfARow = [^\[]*\[([\d,\s]*)\]", source)[1])}
    seen = {code for code, _, _ in found}
    if not seen <= table:
        raise Failure(f"the table lacks {seen - table}")
    print(f"codes returned as in the table: {sorted(seen)}\ncodes not returned by this server: {sorted(table - seen)}")


def open_with_password(place):
    """Returns the error of the engine as a library, which opens as the default user without a password."""
    os.mkdir(place.path("password"))
    with open(place.path("password", "config.xml"), "w", encoding="utf-8") as file:
        file.write("<clickhouse><users_config>users.xml</users_config></clickhouse>")
    with open(place.path("password", "users.xml"), "w", encoding="utf-8") as file:
        file.write("<clickhouse><profiles><default/></profiles><quotas><default/></quotas>"
                   "<users><default><password>x</password></default></users></clickhouse>")
    return subprocess.run([os.path.abspath(sys.executable), "-c", "import chdb"], cwd=place.path("password"),
                          check=False, capture_output=True, text=True).stderr


def check_single(engine, kind):
    engine.create_tables()
    engine.query("CREATE TABLE awesome.codes (n UInt8, s String, d Date, t DateTime) ENGINE = MergeTree() ORDER BY n")
    if kind == "modern":
        engine.query(ROWS)
    found = []
    for line in open("Scripts/clickhouse/codes.txt", encoding="utf-8"):
        if not line.startswith("#"):
            code, servers, settings, statement = line.rstrip("\n").split("\t")
            if servers in ("both", kind):
                found.append((int(code), statement, engine.ask(statement, settings)))
    if kind == "modern":
        deep = "INSERT INTO awesome.rows (n) FORMAT JSONEachRow {\"zz\":%s%s}" % ("[" * 3000, "]" * 3000)
        found.append((306, "a deep value", engine.ask(deep, "input_format_skip_unknown_fields=1")))
        engine.query("INSERT INTO awesome.codes (n) VALUES (1)")
        engine.query("ALTER TABLE awesome.codes MODIFY SETTING parts_to_throw_insert = 1")
        found.append((252, "too many parts", engine.ask("INSERT INTO awesome.codes (n) VALUES (1)")))
        found.append((516, "a default user with a password", (0, open_with_password(engine.place))))
    else:
        for code, headers in ((192, {"X-ClickHouse-User": "nobody", "X-ClickHouse-Key": "x"}),
                              (193, {"X-ClickHouse-User": "admin", "X-ClickHouse-Key": "x"}),
                              (194, {"X-ClickHouse-User": "admin"})):
            found.append((code, "credentials", engine.ask("SELECT 1", headers=headers)))
        damaged = post(f"{engine.url}/?query=SELECT+1", b"\x1f\x8b\x08\x00damaged data",
                       {**engine.headers(), "Content-Encoding": "gzip"}, engine.authority)
        found.append((354, "a damaged body", damaged))
        busy = threading.Thread(target=engine.ask, args=["SELECT sleep(2)"])
        busy.start()
        time.sleep(0.5)
        found.append((202, "two queries", engine.ask("SELECT 1", "max_concurrent_queries_for_user=1")))
        busy.join()
    report(found)


def check_cluster(cluster, restart):
    """Makes the codes that need replicas, with direct inserts of an administrator."""
    entry, peers, other = cluster.nodes[0], cluster.nodes[1:3], cluster.nodes[4]
    row = "INSERT INTO awesome.events_local (event_id) FORMAT JSONEachRow {\"event_id\":\"code-%d\"}"
    found = [(285, "a quorum of 4", cluster.ask(row % 285, "insert_quorum=4", entry.url))]
    for node in peers:
        cluster.query("SYSTEM STOP FETCHES", url=node.url)
    slow = "insert_quorum=3&insert_quorum_timeout=1000"
    found += [(code, "no fetches", cluster.ask(row % code, slow, entry.url)) for code in (319, 286)]
    for node in peers:
        cluster.query("SYSTEM START FETCHES", url=node.url)

    cluster.query("CREATE TABLE default.sink (number UInt64) ENGINE = Null", url=other.url)

    def remote(table):
        return f"remote('127.0.0.1:{other.tcp}', {table}, 'admin', '{cluster.admin}')"

    def lose(signals, query, settings=""):
        """Returns the response to a query of a node that is stopped or killed while it runs."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(cluster.ask(query, settings, entry.url)))
        thread.start()
        time.sleep(1)
        other.process.send_signal(signals)
        thread.join()
        return answers[0]

    read, write = "SELECT sleep(3) FROM {}".format(remote("system.one")), \
        "INSERT INTO FUNCTION {} SELECT number FROM system.numbers".format(remote("default.sink"))
    found.append((209, "a node that is frozen during a query", lose(signal.SIGSTOP, read, "receive_timeout=2")))
    other.process.send_signal(signal.SIGCONT)
    found.append((210, "a node that is frozen during an insert", lose(signal.SIGSTOP, write, "send_timeout=2")))
    other.process.send_signal(signal.SIGCONT)
    found.append((32, "a killed node", lose(signal.SIGKILL, read)))
    other.process.wait()
    restart([other])
    cluster.zookeeper.kill()
    cluster.zookeeper.wait()
    found.append((999, "no ZooKeeper", cluster.ask("SELECT * FROM system.zookeeper WHERE path = '/'", url=entry.url)))
    time.sleep(5)
    found.append((242, "no ZooKeeper", cluster.ask(row % 242, url=entry.url)))
    cluster.start_zookeeper()
    report(found)
