"""Random values as the client writes them, and their comparison with the values that a server returns."""

import json
import random

import analysts

TEXTS = [
    "2024-01-01", "2023-02-30", "10-11-12", "05/06/07", "1/2/24", "01.02.2024", "20240101", "2024-01-01T10:00:00Z",
    "2024-01-01T10:00:00+03:00", "2024-01-01 10:00:00.123456", "Mon, 01 Jan 2024 10:00:00 GMT", "10:11:12",
    "1969-12-31", "2300-01-01", "12345678901234567890123456789", "-0", "1e308", "0x1F", "NaN", "true", "null",
    "[1]", "{}", "", " 1 ", "😀", "e\u0301", "a\u0000b", "\u2028", "\ufeffx", "a\\b\"c/d", "\t\r\n", "SKU-7", "1,5", "192.168.0.1",
    "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a", "%2F", "'); DROP TABLE x", "ﷺ" * 20,
]


def value(source, depth=0):
    """Returns a random value of a parameter: a text, a number, a truth value, a list or an object."""
    kind = source.randrange(9 if depth < 3 else 7)
    if kind < 3:
        return source.choice(TEXTS)
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
        "event_id": f"value-{number}", "name": source.choice(TEXTS) or "-", "ts_ms": source.choice(
            [-1_000, 0, 1_569_888_000_123, 4_102_444_799_999, 1_569_888_000_000 + source.randrange(10**10)]),
        "seq": number, "device_id": source.choice(TEXTS), "session_id": source.choice(TEXTS),
        "user_id": source.choice(TEXTS), "product": "DL", "app_version": source.choice(TEXTS), "schema": 1,
        "props": analysts.compact({f"p{place}": value(source) for place in range(source.randrange(5))}),
    }, separators=(",", ":"), ensure_ascii=source.random() < 0.5) for number in range(count)]


def agrees(sent, found, in_list=False):
    """Returns whether a JSON column holds a value.

    It keeps no empty objects. It gives the numbers and truth values of a list one type, such as text.
    """
    if isinstance(sent, dict):
        kept = {key: member for key, member in sent.items() if not is_empty(member)}
        return isinstance(found, dict) and kept.keys() == found.keys() and all(
            agrees(member, found[key]) for key, member in kept.items())
    if isinstance(sent, list):
        return isinstance(found, list) and len(sent) == len(found) and all(map(agrees, sent, found, [True] * len(sent)))
    if in_list and not isinstance(sent, str):
        return found == json.dumps(sent) if isinstance(found, str) else float(found) == float(sent)
    return found == sent and isinstance(found, bool) == isinstance(sent, bool)


def is_empty(member):
    return isinstance(member, dict) and all(map(is_empty, member.values()))


def differences(engine, sent, settings):
    """Returns the first rows that differ from those that were sent, in any column."""
    status, text = engine.ask("SELECT * FROM awesome.events ORDER BY seq FORMAT JSONEachRow",
                              "output_format_json_quote_64bit_integers=0")
    found = [json.loads(line) for line in text.splitlines()] if status == 200 else [text]
    wanted = [json.loads(row) for row in sent]
    different = [pair for pair in zip(wanted, found) if pair[0] != pair[1]][:3] + ([] if len(found) == len(sent) else [
        (len(found), "rows")])
    if settings:
        columns = engine.query("SELECT toString(properties) FROM awesome.events ORDER BY seq FORMAT JSONCompactEachRow")
        stored = [json.loads(json.loads(line[0])[0]) for line in columns]
        pairs = [(json.loads(row["props"]), column) for row, column in zip(wanted, stored)]
        different += [pair for pair in pairs if not agrees(*pair)][:3]
    return different
