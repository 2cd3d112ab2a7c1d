"""A cluster of ClickHouse 18.16 behind a gateway: two shards with three replicas each, and its faults."""

import collections
import concurrent.futures
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import threading
import time

import analysts
import codes
from engines import fill, unpacked
from harness import RECEIVER, Authority, Clickstream, Comparison, Engine, Producer, date_like, statements
from workplace import Failure, check, post, wait

LANES = ("DL/awesomeTracking", "TY/awesomeTracking")
# The gateway's status during a fault, the failure of a lane, and the cause in the explanation of a waiting event.
SYMPTOMS = {
    "entry": (500, "code 286", "is busy or fails"), "shard": (500, "code 279", "is busy or fails"),
    "zookeeper": (500, "code 242", "is busy or fails"), "token": (403, "credentials", "refuses the credentials"),
    "gateway": (None, "connection refused", "refused the connection"),
    "rate": (429, "status 429", "limits the request rate"), "size": (413, None, None),
}


class Node:
    """One ClickHouse. The disk of a small one is 96 MB in memory, which root can mount."""

    def __init__(self, cluster, shard, replica):
        self.cluster, self.place, self.name = cluster, cluster.place, f"shard {shard}, replica {replica}"
        self.folder = self.place.path(f"node-{shard}{replica}")
        self.http, self.tcp, self.interserver = (self.place.port() for _ in range(3))
        self.url, self.shard, self.replica = f"http://127.0.0.1:{self.http}", shard, replica
        self.prefix, self.disk = [], None
        os.makedirs(os.path.join(self.folder, "data"))

    def configure(self, values):
        fill(f"{RECEIVER}/node.xml", os.path.join(self.folder, "config.xml"), {
            **values, "DIR": self.folder, "HTTP": self.http, "TCP": self.tcp, "INTERSERVER": self.interserver,
            "SHARD": self.shard, "REPLICA": self.replica})

    def mount_small_disk(self):
        data = os.path.join(self.folder, "data")
        mount = f"mount -t tmpfs -o size=96m tmpfs '{data}' && echo mounted && exec sleep infinity"
        holder = self.place.start(["unshare", "--mount", "--propagation", "private", "sh", "-c", mount],
                                  stdout=subprocess.PIPE)
        if os.geteuid() == 0 and holder.stdout.readline() == b"mounted\n":
            self.prefix = ["nsenter", f"--mount=/proc/{holder.pid}/ns/mnt"]
            self.disk = f"/proc/{holder.pid}/root{data}"

    def start(self):
        output = open(os.path.join(self.folder, "output"), "a", encoding="utf-8")
        self.process = self.place.start(
            [*self.prefix, unpacked("clickhouse-server"), f"--config-file={self.folder}/config.xml"],
            stdout=output, stderr=output)

    def await_start(self):
        wait(f"{self.name} starts", lambda: self.cluster.ask("SELECT 1", url=self.url)[0] == 200,
             process=self.process, output=os.path.join(self.folder, "output"))

    def kill(self):
        self.process.kill()
        self.process.wait()


class Cluster(Engine):
    limits = {"RATE": 500, "BURST": 500, "BODY": "1m"}

    def __init__(self, place):
        self.place, self.certificate = place, Authority(place)
        self.authority = self.certificate.file
        self.admin, self.token, self.revoked = (secrets.token_hex(16) for _ in range(3))
        self.zookeeper_port, self.nginx_port, self.haproxy_port = (place.port() for _ in range(3))
        self.endpoint = f"https://127.0.0.1:{self.nginx_port}"
        self.nodes = [Node(self, shard, replica) for shard in (1, 2) for replica in (1, 2, 3)]
        self.entry, self.url = self.nodes[0], self.nodes[0].url
        self.values = {"DIR": place.folder, "ZOOKEEPER": self.zookeeper_port, "NGINX": self.nginx_port,
                       "HAPROXY": self.haproxy_port, "ADMIN": self.admin, "GATEWAY": secrets.token_hex(16),
                       "INTERNODE": secrets.token_hex(16), "CERTIFICATE": self.certificate.file,
                       "KEY": self.certificate.key}
        start = time.monotonic()
        self.configure()
        self.start_zookeeper()
        self.nodes[-1].mount_small_disk()
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            node.await_start()
        self.run_file(f"{RECEIVER}/cluster.sql")
        self.start_gateway()
        print(f"{'the cluster starts, in seconds':<64} {time.monotonic() - start:.1f}", flush=True)

    def configure(self):
        replica = ("<replica><host>127.0.0.1</host><port>{}</port><user>internode</user>"
                   f"<password>{self.values['INTERNODE']}</password></replica>")
        shards = "\n".join(
            "<shard><internal_replication>true</internal_replication>"
            + "".join(replica.format(node.tcp) for node in self.nodes if node.shard == shard) + "</shard>"
            for shard in (1, 2))
        for node in self.nodes:
            node.configure({**self.values, "SHARDS": shards})
        servers = "\n".join(f"    server node{node.shard}{node.replica} 127.0.0.1:{node.http} check"
                            + (" backup" if node is not self.entry else "") for node in self.nodes)
        self.fill("zoo.cfg")
        self.fill("haproxy.cfg", SERVERS=servers)
        self.write_tokens()
        self.fill("nginx.conf", **self.limits)

    def fill(self, name, **values):
        fill(f"{RECEIVER}/{name}", self.place.path(name), {**self.values, **values})

    def write_tokens(self, app="demo"):
        with open(self.place.path("tokens"), "w", encoding="utf-8") as file:
            file.write(f"{self.token} {app};\n{self.revoked} revoked;\n")

    def start_zookeeper(self):
        jars = ":".join(f"/usr/share/java/{name}.jar" for name in ("zookeeper", "slf4j-simple"))
        self.zookeeper = self.place.start(
            ["java", "-Xmx128m", "-XX:-UsePerfData", "-cp", jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain",
             self.place.path("zoo.cfg")])

        def is_serving():
            with socket.create_connection(("127.0.0.1", self.zookeeper_port), timeout=2) as connection:
                connection.sendall(b"srvr")
                return b"Mode:" in connection.makefile("rb").read()

        wait("ZooKeeper starts", is_serving)

    def start_gateway(self):
        self.haproxy = self.place.start([unpacked("haproxy"), "-f", self.place.path("haproxy.cfg")])
        self.nginx = self.place.start([unpacked("nginx"), "-c", self.place.path("nginx.conf"),
                                       "-e", self.place.path("nginx.errors")])
        wait("the gateway starts", lambda: self.insert("")[0] == 200)

    def kill_gateway(self):
        os.killpg(self.nginx.pid, signal.SIGKILL)  # the worker would survive its master
        self.haproxy.kill()
        for process in (self.nginx, self.haproxy):
            process.wait()

    def reload_gateway(self, **limits):
        def workers():
            with open(f"/proc/{self.nginx.pid}/task/{self.nginx.pid}/children", encoding="utf-8") as file:
                return set(file.read().split())

        before = workers()
        self.fill("nginx.conf", **{**self.limits, **limits})
        self.nginx.send_signal(signal.SIGHUP)
        wait("nginx uses its new configuration", lambda: workers() and not workers() & before)

    def answers(self, status):
        """Returns the number of the gateway's responses with a status."""
        with open(self.place.path("nginx.access"), encoding="utf-8") as file:
            return file.read().count(f'" {status} ')

    def insert(self, rows, token=None, path="/", **headers):
        """Sends rows as an app does."""
        try:
            authorization = {"Authorization": f"Bearer {self.token if token is None else token}"}
            return post(self.endpoint + path, rows, {**authorization, **headers}, self.authority)
        except OSError as error:
            return 0, str(error)

    def insert_rows(self, rows):
        check("rows inserted through the gateway", self.insert(rows)[0], 200)

    def demo(self):
        return (["--awesome-endpoint", self.endpoint, "--ca-file", self.authority],
                {"AWESOME_TOKEN": self.token})


class Installations:
    """Producers that deliver while a fault happens, and the comparison of their ledgers with every replica."""

    def __init__(self, cluster, number, name, rows=360):
        self.cluster, start = cluster, 1_572_566_400 + number * 86_400
        self.range = f"ts_ms >= {start * 1000} AND ts_ms < {(start + 86_400) * 1000}"
        self.rows, self.codes, self.producers = rows, collections.Counter(), []
        self.causes, self.explained = set(), set()
        while len(self.producers) < 4 or 0 in self.count_shards():
            index = len(self.producers)
            stream = Clickstream.made(rows, number * 100 + index, start=start, name=date_like)
            self.producers.append(Producer(cluster.place, f"{name}-{index}", stream, cluster).start())
            before = sum(self.count_shards())
            self.producers[-1].feed(rows // 3)
            wait("rows arrive", lambda: sum(self.count_shards()) > before)
        self.streams = [producer.stream for producer in self.producers]

    def count_shards(self):
        """Returns the number of rows on each shard. An installation is on one of them, by its random ID."""
        sql = f"SELECT count() FROM awesome.events_local WHERE {self.range}"
        return [max(self.cluster.number(sql, url=node.url) for node in self.cluster.nodes if node.shard == shard)
                for shard in (1, 2)]

    def tool(self, producer, *words):
        return subprocess.run([f"{os.environ['BUILT']}/QueueTool", producer.queue, *words], check=False,
                              capture_output=True, text=True).stdout

    def lanes(self, producer):
        text = self.tool(producer, "list", "--json")
        return [lane for lane in json.loads(text or '{"lanes":[]}')["lanes"] if lane["lane"] in LANES]

    def look(self):
        """Records why events wait, as the queue tool says, and which causes the explanation of an event names."""
        for producer in self.producers:
            for lane in self.lanes(producer):
                failure = lane.get("lastFailure")
                if not lane["pending"] or not failure:
                    continue
                code = re.match(r"Code: (\d+)", failure["answer"])
                self.codes[f"code {code[1]}" if code else failure["code"] or f"status {failure['status']}"] += 1
                cause = re.sub(r"[;,] (the engine|next).*", "", lane["cause"])
                if cause not in self.causes & self.explained:
                    self.causes.add(cause)
                    pending = self.tool(producer, "export", lane["lane"], "--json").splitlines()[:1]
                    explanation = pending and self.tool(producer, "explain", json.loads(pending[0])["id"])
                    self.explained |= {cause} if cause in explanation else set()

    def run(self, inject, heal, hold):
        """Injects a fault between rows, kills two producers, heals, and returns the time until all is delivered."""
        inject()
        for producer in self.producers:
            producer.feed(self.rows // 3)
        end, killed = time.monotonic() + hold, self.producers[:2]
        while time.monotonic() < end:
            time.sleep(0.5)
            self.look()
            if time.monotonic() > end - hold / 2 and killed[0].process.poll() is None:
                for producer in killed:
                    producer.kill()
        heal()
        start = time.monotonic()
        for producer in killed:
            producer.read = sum(lane["accepted"] for lane in self.lanes(producer))
            producer.start()
        for producer in self.producers:
            producer.feed()
        with concurrent.futures.ThreadPoolExecutor(len(self.producers)) as executor:
            list(executor.map(Producer.finish, self.producers))
        return time.monotonic() - start

    def replicas(self):
        """Returns the numbers of rows and of events, and a checksum of the events, of each replica by shard."""
        shards = {1: [], 2: []}
        for node in self.cluster.nodes:
            rows = self.cluster.query(
                "SELECT count(), uniqExact(event_id), sum(cityHash64(event_id)) FROM awesome.events_local FINAL "
                f"WHERE {self.range}", url=node.url)
            shards[node.shard].append(tuple(map(int, rows[0])))
        return shards

    def compare(self):
        """Compares the table with the files, and each replica with the ledgers, by event id.

        A replica may lag behind. SYSTEM SYNC REPLICA also waits for merges, and did not return within a minute once.
        """
        ledgers = [lane for producer in self.producers for lane in self.lanes(producer)]
        delivered = sum(lane["delivered"] for lane in ledgers)
        lost = sum(lane["pending"] + lane["quarantined"] + sum(lane["dropped"].values()) for lane in ledgers)

        def differ(shards):
            return any(len(set(replicas)) > 1 or replicas[0][0] != replicas[0][1] for replicas in shards.values()) or \
                sum(replicas[0][1] for replicas in shards.values()) != delivered

        end = time.monotonic() + 120
        while differ(shards := self.replicas()) and time.monotonic() < end:
            time.sleep(0.2)
        if differ(shards) or lost:
            raise Failure(f"replicas {shards}, but the ledgers have {delivered} delivered and {lost} lost")
        found = Comparison.of(self.cluster, self.streams, where=self.range)
        return found, [replicas[0][0] for replicas in shards.values()]


class Faults:
    """The faults by name: how to cause one, how to end it, and how long it lasts."""

    def __init__(self, cluster):
        one, two, self.cluster = cluster.nodes[:3], cluster.nodes[3:], cluster
        self.all = {
            "none": (lambda: None, lambda: None, 2),
            "replica": (lambda: one[2].kill(), lambda: self.restart([one[2]]), 5),
            "entry": (self.kill_entry, lambda: self.restart([one[0]]), 12),
            "shard": (lambda: [node.kill() for node in two], lambda: self.restart(two), 8),
            "zookeeper": (self.kill_zookeeper, cluster.start_zookeeper, 8),
            "gateway": (cluster.kill_gateway, cluster.start_gateway, 5),
            "frozen": (lambda: one[0].process.send_signal(signal.SIGSTOP),
                       lambda: one[0].process.send_signal(signal.SIGCONT), 20),
            "token": (lambda: self.change_token("revoked"), lambda: self.change_token("demo"), 5),
            "rate": (lambda: cluster.reload_gateway(RATE=1, BURST=1), cluster.reload_gateway, 8),
            "size": (lambda: cluster.reload_gateway(BODY="2k"), cluster.reload_gateway, 5),
            "disk": (self.fill_disk, self.empty_disk, 10),
        }
        if not two[2].disk:
            print("the fault `disk` is left out: only root can mount a small disk")
            del self.all["disk"]

    def restart(self, nodes):
        for node in nodes:
            node.start()
        for node in nodes:
            node.await_start()

    def kill_entry(self):
        """Kills the entry node while its inserts wait for a second replica, which do not fetch the rows before."""
        entry, *peers = self.cluster.nodes[:3]

        def fetch(word):
            for node in peers:
                self.cluster.query(f"SYSTEM {word} FETCHES", url=node.url)

        def kill():
            entry.kill()
            fetch("START")

        fetch("STOP")
        threading.Timer(2, kill).start()

    def kill_zookeeper(self):
        self.cluster.zookeeper.kill()
        self.cluster.zookeeper.wait()

    def change_token(self, app):
        self.cluster.write_tokens(app)
        self.cluster.reload_gateway()

    def fill_disk(self):
        with open(self.cluster.nodes[-1].disk + "/full", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass

    def empty_disk(self):
        try:
            os.remove(self.cluster.nodes[-1].disk + "/full")
        except FileNotFoundError:
            pass


def check_gateway(cluster):
    """Checks what the gateway refuses."""
    row = '{"event_id":"%s","name":"n","ts_ms":1,"device_id":"d"}\n'
    check("gateway: a row", cluster.insert(row % 1)[0], 200)
    check("gateway: no token, a wrong one, a revoked one",
          [cluster.insert(row % 2, token)[0] for token in ("", "f" * 32, cluster.revoked)], [401, 401, 403])
    cluster.insert("DROP TABLE events_in", path="/?allow_ddl=1&query=")
    cluster.insert(row % 3, path="/?query=DROP+TABLE+awesome.events_in&allow_ddl=1")
    check("gateway: another path, over 1 MB",
          [cluster.insert(row % 2, path="/replicas_status")[0], cluster.insert(row * 50_000)[0]], [404, 413])
    cluster.reload_gateway(RATE=1, BURST=1)
    wait("the gateway is too slow for a burst", lambda: 429 in [cluster.insert("")[0] for _ in range(4)])
    cluster.reload_gateway()
    wait("the gateway accepts a burst", lambda: {cluster.insert("")[0] for _ in range(4)} == {200})
    check("rows of the URL's statement", cluster.number("SELECT count() FROM awesome.events WHERE ts_ms = 1"), 2)


def check_trust(cluster):
    """Checks that the client sends nothing to a server whose authority it does not know, and gzip to one it knows."""
    stream = Clickstream.made(50, 1)
    producer = Producer(cluster.place, "trust", stream, cluster, ["--ca-file", cluster.certificate.stranger])
    before = cluster.stored()
    if producer.deliver() or "is not trusted" not in producer.said:
        raise Failure(f"a receiver that is not trusted is not named: {producer.said}")
    check("rows sent without trust", cluster.stored() - before, 0)
    producer.options = []
    producer.drain()
    check("rows sent with trust", cluster.stored() - before, len(stream.rows))
    with open(cluster.place.path("nginx.access"), encoding="utf-8") as file:
        check("the last request is compressed", file.read().split()[-1], "gzip")


def check_secrecy(cluster):
    """Checks that the token is in no queue, output or log: only in the gateway's list."""
    token, found = cluster.token.encode(), []
    for folder, _, names in os.walk(cluster.place.folder):
        for path in (os.path.join(folder, name) for name in names):
            if os.path.isfile(path) and token in open(path, "rb").read():
                found.append(os.path.relpath(path, cluster.place.folder))
    check("files that contain the token", found, ["tokens"])


def erase_a_user(cluster):
    """Runs the statements of erase.sql, and checks that no replica has a row of the user."""
    user = cluster.query("SELECT user_id FROM awesome.events WHERE user_id != '' ORDER BY seq DESC LIMIT 1")[0][0]
    before = cluster.number(f"SELECT count() FROM awesome.events FINAL WHERE user_id != '{user}'")
    delete, insert = (statement.replace("@USER@", user) for statement in
                      statements(f"{RECEIVER}/erase.sql").values())
    cluster.query(delete)
    for node in (cluster.nodes[0], cluster.nodes[3]):
        cluster.query(insert, "insert_quorum=2&insert_deduplicate=0", node.url)
    wait("no replica has a row of an erased user", lambda: not sum(
        cluster.number(f"SELECT count() FROM awesome.events_local WHERE user_id = '{user}'", node.url)
        for node in cluster.nodes))
    check("events of the other users after the erasure", cluster.stored(), before)


def measure(cluster):
    """Measures rows per second through the gateway: TLS, a quorum of two, and one insert at a time."""
    row = json.dumps({"event_id": "%d", "name": "product_viewed", "ts_ms": 1, "device_id": "%d", "props": "x" * 250})
    for size, requests in ((1000, 6), (25, 20)):
        for senders in (1, 8):
            statuses = []

            def send(sender):
                for number in range(max(requests // senders, 2)):
                    first = (sender * 1000 + number) * 1000
                    body = "\n".join(row % (first + index, sender) for index in range(size))
                    statuses.append(cluster.insert(body)[0])

            threads = [threading.Thread(target=send, args=[index + size]) for index in range(senders)]
            start = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rate = statuses.count(200) * size / (time.monotonic() - start)
            print(f"{f'rows a second in requests of {size}, {senders} senders':<64} {rate:.0f}", flush=True)


def run(place, options):
    cluster = Cluster(place)
    print("inserts events through the gateway, and queries the distributed table")
    analysts.check_distributed(cluster)
    check_gateway(cluster)
    check_trust(cluster)
    faults = Faults(cluster)
    names = [name for name in options.faults.split(",") if name] or list(faults.all)
    for name in set(names) - set(faults.all):
        raise Failure(f"no fault is named {name}: {', '.join(faults.all)}")
    print(f"\n{'fault':<10} {'in file':>7} {'arrived':>8} {'missing':>8} {'doubled':>8} {'disorder':>9} {'shards':>12} "
          f"{'after s':>8}  seen")
    different = False
    for number, name in enumerate(names):
        installations = Installations(cluster, number + 1, f"{number}-{name}")
        status, failure, cause = SYMPTOMS.get(name, (None, None, None))
        before = cluster.answers(status)
        seconds = installations.run(*faults.all[name])
        if status and cluster.answers(status) == before:
            raise Failure(f"no request failed with {status} during the fault `{name}`")
        if cause and not (failure in installations.codes and any(cause in text for text in installations.explained)):
            raise Failure(f"the fault `{name}` causes no {failure} with the explanation `{cause}`, but "
                          f"{installations.codes} and {installations.explained}")
        found, shards = installations.compare()
        different |= found.differs
        print(f"{name:<10} {found.expected:>7} {found.arrived:>8} {found.missing:>8} {found.doubled:>8} "
              f"{found.disordered:>9} {str(shards):>12} {seconds:>8.1f}  "
              f"{', '.join(f'{code} ({count})' for code, count in installations.codes.most_common())}", flush=True)
        for text in sorted(installations.causes):
            print(f"{'':<10} {text}{', explained' if text in installations.explained else ''}")
    check_secrecy(cluster)
    erase_a_user(cluster)
    codes.check_cluster(cluster, faults.restart)
    rows = "\n".join(f'{{"event_id":"again-{number}","device_id":"{number}"}}' for number in range(16))
    wait("both shards accept rows", lambda: cluster.insert(rows)[0] == 200)
    measure(cluster)
    if options.keep:
        keep(cluster)
    return different


def keep(cluster):
    curl = f"curl {cluster.url} -H 'X-ClickHouse-User: admin' -H 'X-ClickHouse-Key: {cluster.admin}' -sS --data-binary"
    for node in cluster.nodes:  # the rows of the checks; only the leader of a shard can delete them
        cluster.ask("ALTER TABLE awesome.events_local DROP PARTITION 197001", url=node.url)
    print(f"""
The cluster runs until Ctrl-C, with the rows of the test. Its files are in {cluster.place.folder}.
A query:   {curl} \\
               'SELECT count() FROM awesome.events FINAL'
A replay:  AWESOME_TOKEN={cluster.token} Scripts/demo --replay FILE --ca-file {cluster.authority} \\
               --awesome-endpoint {cluster.endpoint}
A funnel:  sed -n '/^-- funnel-by-session/,/;$/p' {RECEIVER}/queries.sql | {curl} \\
               @-
A report:  CLICKHOUSE_PASSWORD={cluster.admin} Scripts/report --url {cluster.url} --user admin""", flush=True)
    for node in cluster.nodes:
        print(f"{node.name}: {node.url}, process {node.process.pid}")
    try:
        signal.pause()
    except KeyboardInterrupt:
        pass
