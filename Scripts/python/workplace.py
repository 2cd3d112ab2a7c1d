"""Processes, ports, requests and waits, for checks that start programs."""

import ctypes
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Failure(Exception):
    pass


def check(title, found, expected):
    if found != expected:
        raise Failure(f"{title}: {found}, not {expected}")
    print(f"{title:<64} {found}")


def wait(title, condition, seconds=30.0, process=None, output=None):
    """Waits until a condition holds, and returns its value. Fails with the output of a process that ends before.

    The condition does not hold while a server does not answer.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            if value := condition():
                return value
        except OSError:
            pass
        if process and process.poll() is not None:
            raise Failure(f"{title}: it ends: {open(output, encoding='utf-8').read()[-2000:]}")
        if time.monotonic() > end:
            raise Failure(f"{title}: not within {seconds:.0f} s")
        time.sleep(0.05)


class Workplace:
    """A temporary folder and the processes of a run, each with its children. They end with the script."""

    def __init__(self):
        if shutil.disk_usage(tempfile.gettempdir()).free < 1 << 30:
            raise Failure(f"{tempfile.gettempdir()} has less than 1 GB of free space; set TMPDIR to another folder")
        self.folder = tempfile.mkdtemp(prefix="workplace-")
        # If the script is killed, the kernel kills the processes, but neither nginx's worker nor the folder.
        clean = 'read -r _; kill -s KILL -- "-$(cat "$0/nginx.pid")"; until rm -rf "$0"; do sleep 0.1; done'
        self.guard = subprocess.Popen(["sh", "-c", clean, self.folder], stdin=subprocess.PIPE, process_group=0,
                                      stderr=subprocess.DEVNULL)
        self.processes, self.ports = [], set()
        self.notes = open(self.path("notes"), "w", encoding="utf-8")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def start(self, command, **options):
        def end_with_parent():
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)

        options = {"stdin": subprocess.DEVNULL, "stdout": self.notes, "stderr": self.notes, "process_group": 0,
                   **options}
        process = subprocess.Popen(command, preexec_fn=end_with_parent, **options)
        self.processes.append(process)
        return process

    def run(self, command, **options):
        subprocess.run(command, check=True, stdout=self.notes, stderr=self.notes, **options)

    def port(self):
        """Returns a free port. The kernel gives higher ones to clients, which could take that of a killed server."""
        while True:
            number = random.randrange(10_000, 32_768)
            with socket.socket() as probe:
                if number not in self.ports and probe.connect_ex(("127.0.0.1", number)):
                    self.ports.add(number)
                    return number

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.guard.communicate()


def post(url, body, headers=(), authority=None, timeout=60):
    """Sends a request, and returns the status and the text of the response."""
    data = body if isinstance(body, bytes) else body.encode()
    request = urllib.request.Request(url, data=data, headers=dict(headers))
    context = ssl.create_default_context(cafile=authority) if authority else None
    try:
        with urllib.request.urlopen(request, timeout=timeout, context=context) as response:
            return response.status, response.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")
