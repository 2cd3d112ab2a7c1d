"""A server on 127.0.0.1, for checks that receive requests."""

import gzip
import http.server
import threading


class Server(http.server.ThreadingHTTPServer):
    """Answers each request with what a function returns: a status, a text and headers.

    The function gets the request, which also has its `body`, without the compression. The server runs in a thread of
    its own, at a free port without another one.
    """

    request_queue_size = 128

    def __init__(self, answer, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.answer = answer
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.headers["Content-Encoding"] == "gzip":
            self.body = gzip.decompress(self.body)
        status, text, *headers = self.server.answer(self)
        data = text.encode()
        self.send_response(status)
        for name, value in [("Content-Length", str(len(data))), *headers]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_OPTIONS = do_GET

    def log_message(self, *_):
        pass
