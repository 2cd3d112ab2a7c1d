"""The comparison of generated rows with those that a server returns."""

import json

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
