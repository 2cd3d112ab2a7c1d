"""The ClickHouse of Debian, a release of 2018, and the current one as a library, each on a free port of 127.0.0.1."""

import json
import os
import secrets
import shutil
import signal
import sys

from harness import RECEIVER, Engine
from workplace import wait


class Single(Engine):
    """One server, with the user `admin`, and `tracker` for the producers. All data is in the run's folder."""

    zone = "UTC"  # the server's time zone from its next start

    def __init__(self, place):
        self.place, self.port = place, place.port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.admin, self.password = secrets.token_hex(16), secrets.token_hex(16)
        os.mkdir(place.path("server"))
        self.log = open(place.path("server", "output"), "w", encoding="utf-8")
        self.start()

    def start(self):
        self.process = self.place.start(self.command(), stdout=self.log, stderr=self.log,
                                        env={**os.environ, "TZ": self.zone})
        wait("the server comes up", lambda: self.ask("SELECT 1")[0] == 200, process=self.process, output=self.log.name)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait()

    def version(self):
        return self.query("SELECT version()")[0][0]


class Debian(Single):
    """Release 18.16. The package is only unpacked, because installing it would start a service."""

    name = "ClickHouse of Debian"

    def command(self):
        program = os.environ.get("CLICKHOUSE") or shutil.which("clickhouse-server") or \
            unpacked("clickhouse-server")
        values = {"DIR": self.place.path("server"), "PORT": self.port, "TCP": self.place.port(), "ADMIN": self.admin,
                  "TRACKER": self.password}
        fill("Scripts/clickhouse/single.xml", self.place.path("server", "config.xml"), values)
        command = [program, f"--config-file={self.place.path('server', 'config.xml')}"]
        return command[:1] + ["server"] + command[1:] if os.path.basename(program) == "clickhouse" else command


class Modern(Single):
    """The engine of the current release, as a library behind `frontend.py`."""

    name, server = "current ClickHouse (chDB)", "modern"
    settings = "input_format_try_infer_dates=0&input_format_try_infer_datetimes=0"

    def command(self):
        settings = {"path": self.place.path("server", "data"), "port": self.port, "limit": self.limit,
                    "users": {"admin": self.admin, "tracker": self.password}, "trap": self.place.path("trap")}
        return [sys.executable, "Scripts/clickhouse/frontend.py", json.dumps(settings)]

    def create_tables(self, change=lambda text: text):
        super().create_tables(change)
        self.run_file(f"{RECEIVER}/modern.sql")

    def statuses(self):
        """Returns the statuses of all responses so far."""
        return [int(line) for line in open(self.log.name, encoding="utf-8") if line.strip().isdigit()]


def unpacked(name):
    return os.path.abspath(f".build/packages/{name}/usr/sbin/{name}")


def fill(template, path, values):
    """Writes a configuration file: a template whose words between @ have values."""
    text = open(template, encoding="utf-8").read()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
