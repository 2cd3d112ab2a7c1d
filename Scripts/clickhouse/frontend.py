"""Serves ClickHouse's engine as a library (chDB) over HTTP, like a server: frontend.py SETTINGS, a JSON object.

An error has ClickHouse's code in a header and at the start of the body, and its status. `limit` is the size of a body
that is refused with 413, as by a gateway. If the file `trap` exists, the process removes it and kills itself between an
insert and its response.
"""

import hmac
import json
import os
import re
import signal
import sys
import threading
import urllib.parse

from chdb.session import Session
from server import Server

STATUSES = {16: 404, 60: 404, 81: 404, 115: 404, 47: 404, 46: 404, 6: 400, 26: 400, 27: 400, 41: 400, 53: 400, 62: 400,
            72: 400, 117: 400, 497: 403, 516: 403, 159: 408}
settings = json.loads(sys.argv[1])
session = Session(settings["path"])
lock = threading.Lock()


class Answer(Exception):
    """An error of ClickHouse, or of a gateway in front of it."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def answer(request):
    try:
        status, text = 200, run(request) if request.command == "POST" else "Ok.\n"
    except Answer as error:
        status, text = error.status, str(error)
    print(status, file=sys.stderr, flush=True)
    code = re.match(r"Code: (\d+)", text)
    return status, text, *([("X-ClickHouse-Exception-Code", code[1])] if code else [])


def run(request):
    """Runs the statement of a request, and returns its result."""
    if settings["limit"] and int(request.headers["Content-Length"]) > settings["limit"]:
        raise Answer(413, "too large")
    user = request.headers["X-ClickHouse-User"] or "default"
    password = settings["users"].get(user, "")
    if not password or not hmac.compare_digest(password, request.headers["X-ClickHouse-Key"] or ""):
        raise Answer(403, f"Code: 516. DB::Exception: {user}: Authentication failed. (AUTHENTICATION_FAILED)")
    query = dict(urllib.parse.parse_qsl(request.path.partition("?")[2]))
    database, text = query.pop("database", "default"), query.pop("query", "")
    text += ("\n" if text else "") + request.body.decode()
    insert = re.match(r"INSERT INTO .*?(?= FORMAT )", text, re.DOTALL)
    if user != "admin" and not insert:
        raise Answer(403, "Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)")
    if insert and query:
        given = ", ".join(f"{name} = '{value}'" for name, value in query.items())
        text = f"{insert[0]} SETTINGS {given}{text[insert.end():]}"
    try:
        with lock:
            session.query(f"USE {database}")
            result = str(session.query(text, "TabSeparated"))
    except Exception as error:
        code = int((re.search(r"Code: (\d+)", str(error)) or [0, 0])[1])
        raise Answer(STATUSES.get(code, 500), str(error)) from None
    if insert and os.path.exists(settings["trap"]):
        os.remove(settings["trap"])
        os.kill(os.getpid(), signal.SIGKILL)
    return result


Server(answer, settings["port"])
threading.Event().wait()
