"""Raises the alarm of the example server in a real Prometheus. Scripts/checks/prometheus runs it."""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

RULES = "Apps/TrackingServer/Container/alarms.yaml"
NAME = "event_delivery_events_dropped_total"

# Values every 15 seconds, whether the loss is intended, and the minutes at which the alarm must be active or not. Each
# change is at 10 minutes; `_` is a missing value.
CASES = {
    "the first loss after a sample of 0": ("0x40 1x60", "false", {9.5: False, 10.5: True, 14: True, 16: False}),
    "a lane or a reason that appears with its first loss": ("_x40 5x60", "false", {10.5: True, 14: True, 16: False}),
    "a restart after earlier losses": ("5x20 _x20 5x60", "false", {9: False, 10.5: False, 16: False}),
    "a loss during a restart": ("5x20 _x20 6x60", "false", {10.5: True, 16: False}),
    "a new directory at the same address": ("9x20 0x20 1x60", "false", {9: False, 10.5: True, 16: False}),
    "an intended loss": ("0x40 5x60", "true", {10.5: False}),
}


def test_of(name, values, intended, times):
    """Returns a test of promtool."""
    labels = {"product": "T", "service": "lines", "reason": "expired", "intended": intended}
    pairs = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return {
        "name": name,
        "interval": "15s",
        "input_series": [{"series": f"{NAME}{{{pairs}}}", "values": values}],
        "alert_rule_test": [
            {"alertname": "EventsLost", "eval_time": f"{int(minute * 60)}s",
             "exp_alerts": [{"exp_labels": labels}] if is_active else []}
            for minute, is_active in times.items()
        ],
    }


def promtool(*words, text=None):
    run = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"prometheus: promtool {' '.join(words)} fails:\n{run.stdout}{run.stderr}")
    print(f"promtool {' '.join(words[:2])}: passed")


def respond(url, method="GET"):
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=30) as response:
        return response.status, response.read().decode()


def wait(what, seconds, value):
    """Waits until a function returns something, and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if found := value():
                return found
        except OSError:
            pass  # Prometheus does not listen yet.
        time.sleep(0.2)
    sys.exit(f"prometheus: {what} has not happened in {seconds} s")


def check(server, prometheus):
    """Loses an event of a server that a Prometheus scrapes."""

    def views(user):
        return respond(f"{server}/views?user={user}&product=p", "POST")

    def query(expression):
        text = respond(f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': expression})}")[1]
        return json.loads(text)["data"]["result"]

    def alerts():
        return json.loads(respond(f"{prometheus}/api/v1/alerts")[1])["data"]["alerts"]

    assert [views(f"u{number}")[0] for number in range(3)] == [202] * 3
    wait("a fifth scrape", 60, lambda: query("count_over_time(event_delivery_events_accepted_total[5m]) >= 5"))
    assert not alerts(), f"an alarm before the first loss: {alerts()}"
    print("five scrapes without a loss: no alarm")

    # An id of a user has at most 4,096 bytes.
    assert "not tracked: id_too_long" in views("u" * 5_000)[1]
    start = time.monotonic()
    active = wait("the alarm for the first loss", 30, alerts)
    labels = active[0]["labels"]
    assert len(active) == 1 and active[0]["state"] == "firing", active
    assert (labels["alertname"], labels["reason"]) == ("EventsLost", "id_too_long"), active
    print(f"one lost event: EventsLost is active after {time.monotonic() - start:.1f} s")
    assert query(f'increase({NAME}{{reason="id_too_long"}}[1m]) > 0'), "the counter had no sample of 0 before the loss"
    promtool("check", "metrics", text=respond(f"{server}/metrics")[1])


def main():
    parser = argparse.ArgumentParser(prog="Scripts/checks/prometheus")
    parser.add_argument("--server", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        def write(name, text):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return path

        rules = os.path.abspath(RULES)
        promtool("check", "rules", rules)
        # JSON is YAML.
        tests = {"rule_files": [rules], "evaluation_interval": "15s",
                 "tests": [test_of(name, *case) for name, case in CASES.items()]}
        promtool("test", "rules", write("tests.yml", json.dumps(tests)))
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"  # It does not listen, so the events wait.
        processes = []
        try:
            processes.append(subprocess.Popen(
                [options.server, "--directory", os.path.join(folder, "queue"), "--receiver", closed, "--deadline", "1"],
                stdout=subprocess.PIPE, text=True, env={**os.environ, "EVENT_DELIVERY_LOG": "off"}))
            server = processes[0].stdout.readline().split()[-1]
            with socket.socket() as port:
                port.bind(("127.0.0.1", 0))
                address = f"127.0.0.1:{port.getsockname()[1]}"
            configuration = {
                "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
                "rule_files": [rules],
                "scrape_configs": [
                    {"job_name": "server", "static_configs": [{"targets": [server.removeprefix("http://")]}]}],
            }
            processes.append(subprocess.Popen(
                ["prometheus", f"--config.file={write('prometheus.yml', json.dumps(configuration))}",
                 f"--storage.tsdb.path={folder}/data", f"--web.listen-address={address}", "--log.level=error"]))
            check(server, f"http://{address}")
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(30)
    print("prometheus: the alarm is right")


main()
