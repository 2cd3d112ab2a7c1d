"""Kills owners of a queue and the queue tool at random moments."""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from server import Server


def answer(request):
    """Refuses each event whose number ends in 7, and is busy otherwise. All events stay in the queue."""
    numbers = re.findall(r'"number":(\d+)', request.body.decode())
    return 400 if any(number.endswith("7") for number in numbers) else 503, ""


class Scene:
    def __init__(self, built, seed):
        self.built, self.random = built, random.Random(seed)
        self.folder = tempfile.TemporaryDirectory()
        self.queue = os.path.join(self.folder.name, "queue")
        self.promised, self.discarded = set(), set()
        self.server = Server(answer)
        self.kills = {}

    def tool(self, *words):
        run = subprocess.run([f"{self.built}/QueueTool", self.queue, *words], capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def stored(self):
        code, text, errors = self.tool("export")
        assert code == 0, f"export: {code} {errors}"
        lines = [json.loads(line) for line in text.splitlines()]
        return {line["id"] for line in lines}, {line["id"] for line in lines if line["state"] == "quarantined"}

    def verify(self, what):
        code, text, errors = self.tool("verify")
        assert code == 0, f"after {what}: {text} {errors}"
        ids, _ = self.stored()
        missing = self.promised - self.discarded - ids
        assert not missing, f"after {what}: {len(missing)} of {len(self.promised)} promised events are missing"

    def owner(self):
        return subprocess.Popen(
            [f"{self.built}/DeliveryProducer", "--queue", self.queue, "--count", "1000000", "--resume", "--endpoint",
             f"{self.server.url}/lines"], stdout=subprocess.PIPE, text=True)

    def record(self, owner, kill_after):
        """Records the owner's receipts, and kills it a given time after the first one."""
        timer = None
        for line in owner.stdout:
            if line.startswith("R "):
                self.promised.add(line[2:].strip())
                if timer is None:
                    timer = threading.Timer(kill_after, owner.kill)
                    timer.start()
        owner.wait()

    def kill_owner(self):
        """Kills an owner while the tool reads its queue."""
        owner = self.owner()
        recording = threading.Thread(target=self.record, args=(owner, self.random.uniform(0, 0.4)), daemon=True)
        recording.start()
        deadline = time.monotonic() + 60
        while recording.is_alive():
            assert time.monotonic() < deadline, "the owner is not killed after a minute"
            code, text, errors = self.tool(self.random.choice(["verify", "list", "tail"]))
            assert code in (0, 66, 75), f"while the owner runs: {code} {text} {errors}"
        assert owner.returncode == -signal.SIGKILL, f"the owner ended with {owner.returncode}"
        return "owner"

    def kill_tool(self):
        """Kills the tool while it changes a queue."""
        _, refused = self.stored()
        some = self.random.sample(sorted(refused), min(len(refused), 20))
        verb = self.random.choice([["quarantine", "retry", "--all", "--yes"], ["quarantine", "discard", *some, "--yes"],
                                   ["purge", "P/lane1", "--yes=P/lane1"], ["export"], ["verify"], ["tail", "-n", "1000"]])
        if verb[1:2] == ["discard"]:
            if not some:
                verb = ["verify"]
            else:
                self.discarded |= set(some)  # the tool may be killed before or after the change
        tool = subprocess.Popen([f"{self.built}/QueueTool", self.queue, *verb], stdout=subprocess.DEVNULL)
        time.sleep(self.random.uniform(0, 0.1))
        tool.kill()
        tool.wait()
        if verb[0] == "purge" and not self.stored()[0]:
            self.promised, self.discarded = set(), set()  # a purge deletes everything or nothing
        what = " ".join(verb[:2]) if verb[0] == "quarantine" else verb[0]
        return what + ("" if tool.returncode < 0 else " (had ended)")

    def run(self, kills):
        while sum(self.kills.values()) < kills:
            # A large queue slows down the checks after each kill.
            if len(self.promised) > 30_000:
                assert self.tool("purge", "P/lane1", "--yes=P/lane1")[0] == 0
                self.verify_empty()
            kill = self.kill_owner if not self.promised or self.random.random() < 0.4 else self.kill_tool
            what = kill()
            if "had ended" not in what:
                self.kills[what] = self.kills.get(what, 0) + 1
            self.verify(what)
            if sys.stderr.isatty():
                print(f"\r{sum(self.kills.values())} of {kills} kills", end="", file=sys.stderr, flush=True)
        counts = ", ".join(f"{what} {count}" for what, count in sorted(self.kills.items()))
        print(f"{kills} kills ({counts}): the queue was sound after each; the last one had {len(self.promised)} promised events")

    def verify_empty(self):
        assert self.stored() == (set(), set()), "events remain after a purge"
        self.promised, self.discarded = set(), set()


def main():
    parser = argparse.ArgumentParser(prog="Scripts/checks/queue")
    parser.add_argument("--built", required=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    Scene(options.built, options.seed).run(options.kills)


if __name__ == "__main__":
    main()
