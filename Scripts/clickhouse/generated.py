"""Generated values and events. The same seed generates the same ones."""

import collections
import datetime
import json
import random

VALUES = [
    "2024-01-01", "2023-02-30", "10-11-12", "05/06/07", "1/2/24", "01.02.2024", "20240101", "2024-01-01T10:00:00Z",
    "2024-01-01T10:00:00+03:00", "2024-01-01 10:00:00.123456", "Mon, 01 Jan 2024 10:00:00 GMT", "10:11:12",
    "1969-12-31", "2300-01-01", "12345678901234567890123456789", "-0", "1e308", "0x1F", "NaN", "true", "null",
    "[1]", "{}", "", " 1 ", "😀", "e\u0301", "a\u0000b", "\u2028", "\ufeffx", "a\\b\"c/d", "\t\r\n", "SKU-7", "1,5",
    "192.168.0.1", "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a", "%2F", "'); DROP TABLE x", "ﷺ" * 20,
]


def compact(members):
    return json.dumps(members, separators=(",", ":"))  # as the client writes it


def value(source, depth=0):
    """Returns a random value of a parameter: a text, a number, a truth value, a list or an object."""
    kind = source.randrange(9 if depth < 3 else 7)
    if kind < 3:
        return source.choice(VALUES)
    if kind == 3:  # a date or time with random parts
        parts = [str(source.randrange(1, limit)).zfill(source.randrange(1, 3)) for limit in (32, 13, 100)]
        return source.choice("-/. :").join(parts) + source.choice(["", "", "Z", "+03:00", " 10:00"])
    if kind == 4:
        return source.choice([0, 1, -1, 2**53 + 1, 2**63 - 1, -2**63, source.randrange(10**12)])
    if kind == 5:
        return source.choice([0.1, -1.5, 1e308, 5e-324, 1 / 3, source.random() * 1e6])
    if kind == 6:
        return source.random() < 0.5
    if kind == 7:
        return [value(source, depth + 1) for _ in range(source.randrange(4))]
    return {f"k{number}": value(source, depth + 1) for number in range(source.randrange(4))}


def rows(count, seed):
    source = random.Random(seed)
    return [json.dumps({
        "event_id": f"value-{number}", "name": source.choice(VALUES) or "-", "ts_ms": source.choice(
            [-1_000, 0, 1_569_888_000_123, 4_102_444_799_999, 1_569_888_000_000 + source.randrange(10**10)]),
        "seq": number, "device_id": source.choice(VALUES), "session_id": source.choice(VALUES),
        "user_id": source.choice(VALUES), "product": "DL", "app_version": source.choice(VALUES), "schema": 1,
        "props": compact({f"p{place}": value(source) for place in range(source.randrange(5))}),
        "sent_at": source.choice([None, 1_772_359_200_123]),
    }, separators=(",", ":"), ensure_ascii=source.random() < 0.5) for number in range(count)]


BORDERS = [datetime.datetime(2026, month, 1, tzinfo=datetime.UTC) for month in (2, 3, 4)]
# An event's key of the item and of the total by product, and the names with their actions.
KEYS = {"DL": ("item_id", "total"), "TY": ("content_id", "cart_total")}
NAMES = {"DL": {"product_viewed": "view", "basket_item_added": "add", "basket_item_removed": "remove",
                "order_placed": "buy", "listing_viewed": ""},
         "TY": {"pdp_view": "view", "pdp_cart_change": "", "purchase_complete": "buy", "cart_viewed": ""}}
TEXTS = ["{", "}]", '"', "\\", '\\"', '{"total":3,"currency":"EUR"}', "[[", "Kadın > Giyim", "", "total", "a\nb"]
Event = collections.namedtuple("Event", "id name time seq session device user product version props")


def nested(source, depth=3):
    """Returns a value with lists, objects, and the keys of an order at any depth."""
    kind = source.randrange(5)
    if depth == 0 or kind == 0:
        return source.choice([*TEXTS, 7.5, -1, True, None])
    if kind == 1:
        return [nested(source, depth - 1) for _ in range(source.randrange(4))]
    names = ["total", "cart_total", "currency", "item_id", "content_id", "action", "name"]
    return {name: nested(source, depth - 1) for name in source.sample(names, source.randrange(1, 4))}


def parameters(source, product, name):
    """Returns the parameters of an event in any order. Each of the event's own keys can be missing."""
    item, total = KEYS[product]
    own = [(item, f"SKU-{source.randrange(40)}"), ("currency", source.choice(["TRY", "USD"])),
           (total, source.choice(["12,5 TL", None]) if source.random() < 0.1 else source.randrange(4000) / 4),
           ("brand", source.choice(TEXTS))]
    members = [member for member in own if source.random() < 0.9]
    if name == "pdp_cart_change":
        members.append(("action", source.choice(["add", "remove"])))
    members += [(key, nested(source)) for key in ("items", "cart") if source.random() < 0.4]
    return dict(source.sample(members, len(members)))


def shoppers(seed):
    """Returns the arrived events of installations around the ends of months, and the lost numbers.

    A session has no user, one who signs in, or two. Some events have no session. Each installation is updated twice.
    """
    source, accepted = random.Random(seed), []
    for device in range(40):
        numbers, count = collections.Counter(), source.randrange(12, 50)
        seconds = [source.choice([source.randrange(-1_200_000, 1_200_000), source.randrange(-50_400, 50_400)])
                   for _ in range(count)]
        times = sorted(int(source.choice(BORDERS).timestamp() + second) * 1000 + source.randrange(1000)
                       for second in seconds)
        session, users = "", [""]
        for place, time in enumerate(times):
            if source.randrange(5) == 0:
                session = source.choice(["", f"session-{device}-{place}", f"session-{device}-{place}"])
                users = source.choice([[""], [f"u{source.randrange(30)}"], [f"u{source.randrange(30)}" for _ in "ab"]])
            product = source.choice(["DL", "TY"])
            name = source.choice(list(NAMES[product]))
            numbers[product] += 1
            accepted.append(Event(
                f"{device}-{place}", name, time, numbers[product], session, f"device-{device}",
                source.choice(["", *users]), product, f"1.{3 * place // count}.0", parameters(source, product, name)))
    lost = {event for event in range(len(accepted)) if source.random() < 0.04}
    return ([event for number, event in enumerate(accepted) if number not in lost],
            {(accepted[number].device, accepted[number].product, accepted[number].seq) for number in lost})


def extremes():
    """Returns events of a device with clocks of 1969 and 2300 and with totals whose sum is infinite.

    Another device views, adds and buys within a second, and a third one in the opposite order within a millisecond.
    """
    names, now = ("product_viewed", "basket_item_added", "order_placed"), int(BORDERS[1].timestamp()) * 1000
    done = [("outlier", names[0], -1_000, {}), ("outlier", names[1], 10_413_792_000_000, {}),
            *[("outlier", names[2], now, {"total": 1e308, "currency": "USD"})] * 2,
            *[("quick", name, now + 5 * place, {}) for place, name in enumerate(names)],
            *[("reverse", name, now, {}) for name in reversed(names)]]
    return [Event(f"extreme-{number}", name, time, number + 1, device, device, "", "DL", "1.0.0", props)
            for number, (device, name, time, props) in enumerate(done)]


def spelled(value, source):
    """Returns JSON as any program may write it, with spaces, line feeds and escapes."""
    gap = source.choice(["", "", "", " ", "\n  ", "\t"])
    if isinstance(value, dict):
        members = [f"{gap}{json.dumps(key)}{gap}:{gap}{spelled(member, source)}" for key, member in value.items()]
        return "{" + f"{gap},".join(members) + gap + "}"
    if isinstance(value, list):
        return "[" + f"{gap},".join(gap + spelled(member, source) for member in value) + gap + "]"
    text = json.dumps(value, ensure_ascii=source.random() < 0.5)
    return text.replace("/", "\\/") if gap else text


def as_row(event):
    return json.dumps({"event_id": event.id, "name": event.name, "ts_ms": event.time, "seq": event.seq,
                       "session_id": event.session, "device_id": event.device, "user_id": event.user,
                       "product": event.product, "app_version": event.version, "schema": 1,
                       "props": spelled(event.props, random.Random(event.id))})


ODD = [None, True, "12,5 TL", "7", "", {}, [], {"price": 1}, [{"price": 1}], 7, 7.0, 7.5, 2**63, -10**30]
TYPES = {
    "string": [value for value in VALUES if len(value) < 40], "integer": [0, -1, 7, 2**62, 2**63 - 1, -2**63],
    "number": [0, -3, 19.99, 2**53 + 1, 1e-7, 1e300], "boolean": [True, False],
    "array": [[], [[1], {"total": "}"}]], "object": [{}, {"total": {"currency": ["]"]}}],
}


def planned(plan, seed, count):
    """Returns events of a plan, of which some lack a key or have a value of another type, nested keys and new ones."""
    source, events = random.Random(seed), []
    for product, name, properties, _ in plan:
        for _ in range(count):
            members = [(key, source.choice(ODD if source.random() < 0.2 else TYPES.get(kind, ODD)))
                       for key, kind in properties.items() if source.random() < 0.9]
            members.append(("more", [{key: source.choice(ODD) for key in properties}, "}", '"price":3']))
            events.append(Event(f"plan-{len(events)}", name, 1_772_316_000_000 + len(events), len(events), "", "", "",
                                product, "1.0.0", dict(source.sample(members, len(members)))))
    return events


def released(seed, products=40, people=80):
    """Returns events of apps with five versions, the calls that a version lost, and the share that remained of each.

    People use an app more or less than others, prefer some events, and skip versions. Few have the version 1.10.0.
    """
    source, events, lost = random.Random(seed), [], {}
    versions = ["1.8.0", "1.9.2", "1.10.0", "1.10.1", "1.11.0-beta (7)"]
    rates = {"opened": 1, "viewed": 3, "searched": 0.7, "added": 0.3, "liked": 0.1, "bought": 0.04}
    for number in range(products):
        share = {version: dict.fromkeys(rates, 1) for version in versions}
        if number % 2:
            version, name = source.choice(["1.10.1", versions[-1]]), source.choice(list(rates)[:4])
            lost[f"P{number}", version, name] = remaining = source.choice([0, 0, 0.5])
            for later in versions[versions.index(version):]:
                share[later][name] = remaining
        for place, version in enumerate(versions):
            for person in range(4 if version == "1.10.0" else people):
                if source.random() < 0.3:
                    continue
                device, habit = f"{number}-{person}", random.Random(f"{seed}-{number}-{person}")
                likes = {name: habit.lognormvariate(0, 0.7) for name in rates}
                for session in range(1 + int(habit.expovariate(0.4))):
                    for name, rate in rates.items():
                        count = int(source.expovariate(1 / (rate * likes[name])) + source.random()) if rate != 1 else 1
                        count = sum(source.random() < share[version][name] for _ in range(count))
                        events += [Event(f"{device}-{len(events) + more}", name, 1_772_316_000_000 + place,
                                         len(events) + more, f"{device}-{place}-{session}", device, "", f"P{number}",
                                         version, {}) for more in range(count)]
    return events, lost
