"""Serves ClickHouse's engine as a library (chDB) over HTTP, like a server: frontend.py SETTINGS, a JSON object.

An error has ClickHouse's code in a header and at the start of the body, and its status. `limit` is the size of a body
that is refused with 413, as by a gateway. If the file `trap` exists, the process removes it and kills itself between an
insert and its response.
"""

import gzip
import hmac
import http.server
import json
import os
import re
import signal
import sys
import threading
import urllib.parse

from chdb.session import Session

STATUSES = {16: 404, 60: 404, 81: 404, 115: 404, 47: 404, 46: 404, 6: 400, 26: 400, 27: 400, 41: 400, 53: 400, 62: 400,
            72: 400, 117: 400, 497: 403, 516: 403, 159: 408}
settings = json.loads(sys.argv[1])
session = Session(settings["path"])
lock = threading.Lock()


class Answer(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Front(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.answer(200, "Ok.\n")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            self.answer(200, self.run(body))
        except Answer as answer:
            self.answer(answer.status, str(answer))

    def run(self, body):
        if settings["limit"] and len(body) > settings["limit"]:
            raise Answer(413, "too large")
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        user = self.headers["X-ClickHouse-User"] or "default"
        password = settings["users"].get(user, "")
        if not password or not hmac.compare_digest(password, self.headers["X-ClickHouse-Key"] or ""):
            raise Answer(403, f"Code: 516. DB::Exception: {user}: Authentication failed. (AUTHENTICATION_FAILED)")
        query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
        database, text = query.pop("database", "default"), query.pop("query", "")
        text += ("\n" if text else "") + body.decode()
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

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        if code := re.match(r"Code: (\d+)", text):
            self.send_header("X-ClickHouse-Exception-Code", code[1])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code="-", size="-"):
        print(int(code), file=sys.stderr, flush=True)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128


server = Server(("127.0.0.1", settings["port"]), Front)
server.serve_forever()
