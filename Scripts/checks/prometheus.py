"""Raises the alarm of the example server in a real Prometheus. Scripts/checks/prometheus runs it."""

import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from workplace import Failure, Workplace, post, wait

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
        raise Failure(f"promtool {' '.join(words)} fails:\n{run.stdout}{run.stderr}")
    print(f"promtool {' '.join(words[:2])}: passed")


def get(url):
    with urllib.request.urlopen(url, timeout=30) as response:
        return response.read().decode()


def check(server, prometheus):
    """Loses an event of a server that a Prometheus scrapes."""

    def views(user):
        return post(f"{server}/views?user={user}&product=p", "")

    def query(expression):
        text = get(f"{prometheus}/api/v1/query?{urllib.parse.urlencode({'query': expression})}")
        return json.loads(text)["data"]["result"]

    def alerts():
        return json.loads(get(f"{prometheus}/api/v1/alerts"))["data"]["alerts"]

    assert [views(f"u{number}")[0] for number in range(3)] == [202] * 3
    wait("a fifth scrape", lambda: query("count_over_time(event_delivery_events_accepted_total[5m]) >= 5"), 60)
    assert not alerts(), f"an alarm before the first loss: {alerts()}"
    print("five scrapes without a loss: no alarm")

    # An id of a user has at most 4,096 bytes.
    assert "not tracked: id_too_long" in views("u" * 5_000)[1]
    start = time.monotonic()
    active = wait("the alarm for the first loss", alerts)
    labels = active[0]["labels"]
    assert len(active) == 1 and active[0]["state"] == "firing", active
    assert (labels["alertname"], labels["reason"]) == ("EventsLost", "id_too_long"), active
    print(f"one lost event: EventsLost is active after {time.monotonic() - start:.1f} s")
    assert query(f'increase({NAME}{{reason="id_too_long"}}[1m]) > 0'), "the counter had no sample of 0 before the loss"
    promtool("check", "metrics", text=get(f"{server}/metrics"))


def main(program):
    with contextlib.closing(Workplace()) as place:
        def write(name, value):
            with open(place.path(name), "w", encoding="utf-8") as file:
                json.dump(value, file)  # JSON is YAML
            return place.path(name)

        rules = os.path.abspath(RULES)
        promtool("check", "rules", rules)
        promtool("test", "rules", write("tests.yml", {
            "rule_files": [rules], "evaluation_interval": "15s",
            "tests": [test_of(name, *case) for name, case in CASES.items()]}))
        # Nothing listens at the receiver's port, so the events wait.
        example = place.start([program, "--directory", place.path("queue"), "--receiver",
                               f"http://127.0.0.1:{place.port()}", "--deadline", "2"],
                              stdout=subprocess.PIPE, text=True, env={**os.environ, "EVENT_DELIVERY_LOG": "off"})
        server, address = example.stdout.readline().split()[-1], f"127.0.0.1:{place.port()}"
        place.start(["prometheus", f"--storage.tsdb.path={place.path('data')}", f"--web.listen-address={address}",
                     "--log.level=error", "--config.file=" + write("prometheus.yml", {
                         "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [rules],
                         "scrape_configs": [{"job_name": "server", "static_configs": [
                             {"targets": [server.removeprefix("http://")]}]}]})])
        check(server, f"http://{address}")
    print("prometheus: the alarm is right")


try:
    main(sys.argv[1])
except (AssertionError, Failure) as failure:
    sys.exit(f"prometheus: {failure}")
