"""Receives OTLP/HTTP with OpenTelemetry's protobuf definitions: receiver.py PORT_FILE CLICKS_FILE

It listens on a free port of 127.0.0.1, writes the port to a file, and refuses the first request like a busy receiver
(503). It writes the click of each log record, once for each id, as `type product session`. It ends with its input.
"""

import gzip
import http.server
import sys
import threading

import check

TYPES = {
    "product_viewed": "view", "pdp_view": "view", "order_placed": "purchase", "purchase_complete": "purchase",
    "basket_item_added": "cart", "basket_item_removed": "remove_from_cart",
}
ACTIONS = {"add": "cart", "remove": "remove_from_cart"}


def product_in(values):
    """Returns the product's id, which for an order is in the list of its items."""
    for key, value in values.items():
        if key in ("item_id", "content_id"):
            return value.string_value
        for element in value.array_value.values:
            if product := product_in(check.values_of(element.kvlist_value.values)):
                return product
    return None


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests, seen, lock = 0, set(), threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with Receiver.lock:
            Receiver.requests += 1
            status = 503 if Receiver.requests == 1 else self.store(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def store(self, body):
        if self.path != "/v1/logs" or self.headers["Content-Type"] != "application/json":
            return 404
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        try:
            for _, values, _ in check.records(body.decode()):
                text = {key: value.string_value for key, value in values.items()}
                if text["log.record.uid"] not in Receiver.seen:
                    Receiver.seen.add(text["log.record.uid"])
                    name = check.name_of(values)
                    kind = TYPES.get(name) or ACTIONS.get(text.get("action"), name)
                    print(kind, product_in(values), text["session.id"], sep="\t", file=clicks, flush=True)
        except check.Invalid as error:
            print(error, file=sys.stderr)
            return 400
        return 200

    def log_message(self, *arguments):
        pass


clicks = open(sys.argv[2], "w", encoding="utf-8")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(sys.argv[1], "w", encoding="utf-8") as file:
    print(server.server_port, file=file)
sys.stdin.read()
