"""Receives OTLP/HTTP with OpenTelemetry's protobuf definitions: receiver.py PORT_FILE CLICKS_FILE

It listens on a free port of 127.0.0.1, writes the port to a file, and refuses the first request like a busy receiver
(503). It writes the click of each log record, once for each id, as `type product session`. It ends with its input.
"""

import sys
import threading

import check
from server import Server

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


seen, requests, lock = set(), [], threading.Lock()


def answer(request):
    with lock:
        requests.append(request)
        status = 503 if len(requests) == 1 else store(request)
    return status, "{}", ("Content-Type", "application/json")


def store(request):
    """Writes the clicks of a request, and returns the status of the response."""
    if request.path != "/v1/logs" or request.headers["Content-Type"] != "application/json":
        return 404
    try:
        for _, values, _ in check.records(request.body.decode()):
            text = {key: value.string_value for key, value in values.items()}
            if text["log.record.uid"] not in seen:
                seen.add(text["log.record.uid"])
                name = check.name_of(values)
                kind = TYPES.get(name) or ACTIONS.get(text.get("action"), name)
                print(kind, product_in(values), text["session.id"], sep="\t", file=clicks, flush=True)
    except check.Invalid as error:
        print(error, file=sys.stderr)
        return 400
    return 200


clicks = open(sys.argv[2], "w", encoding="utf-8")
server = Server(answer)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    print(server.server_port, file=file)
sys.stdin.read()
