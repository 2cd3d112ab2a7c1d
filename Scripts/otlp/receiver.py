"""Receives OTLP/HTTP with OpenTelemetry's protobuf definitions: receiver.py PORT_FILE CLICKS_FILE [CERTIFICATE KEY]

It listens on a free port of 127.0.0.1, writes the port to a file, and refuses the first request like a busy receiver
(503). It writes the click of each log record, once for each id, as `type product session`. It ends with its input.
"""

import gzip
import http.server
import ssl
import sys
import threading

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

TYPES = {
    "product_viewed": "view", "pdp_view": "view", "order_placed": "purchase", "purchase_complete": "purchase",
    "basket_item_added": "cart", "basket_item_removed": "remove_from_cart",
}
ACTIONS = {"add": "cart", "remove": "remove_from_cart"}


def product_in(attributes):
    """Returns the product's id, which for an order is in the list of its items."""
    for attribute in attributes:
        if attribute.key in ("item_id", "content_id"):
            return attribute.value.string_value
        for element in attribute.value.array_value.values:
            if product := product_in(element.kvlist_value.values):
                return product
    return None


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    requests = 0
    seen = set()
    lock = threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with Receiver.lock:
            Receiver.requests += 1
            status = 503 if Receiver.requests == 1 else self.accept(body)
        response = b"{}"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(response)))
        self.end_headers()
        self.wfile.write(response)

    def accept(self, body):
        if self.path != "/v1/logs" or self.headers["Content-Type"] != "application/json":
            return 404
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        try:
            request = json_format.Parse(body, ExportLogsServiceRequest())
        except json_format.ParseError as error:
            print(error, file=sys.stderr)
            return 400
        for resource in request.resource_logs:
            for scope in resource.scope_logs:
                for record in scope.log_records:
                    self.write(record)
        return 200

    def write(self, record):
        text = {attribute.key: attribute.value.string_value for attribute in record.attributes}
        if text["log.record.uid"] in Receiver.seen:
            return
        Receiver.seen.add(text["log.record.uid"])
        kind = TYPES.get(record.event_name) or ACTIONS.get(text.get("action"), record.event_name)
        print(kind, product_in(record.attributes), text["session.id"], sep="\t", file=clicks, flush=True)

    def log_message(self, *arguments):
        pass


clicks = open(sys.argv[2], "w", encoding="utf-8")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
if len(sys.argv) > 3:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = tls.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(sys.argv[1], "w", encoding="utf-8") as file:
    print(server.server_port, file=file)
sys.stdin.read()
