"""Parses bodies of OTLP/HTTP with OpenTelemetry's protobuf definitions, and prints the facts: check.py FILE…

A wrong type or a value in two forms is an error, and so is a member that the newest definitions lack. The script also
checks rules beyond the types: each record has a name, times and a unique id, no key occurs twice in a list, and only a
removed trait has no value. Older definitions lack `eventName`. A receiver with them ignores it, as the specification
requires.
"""

import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

KNOWS_NAMES = "event_name" in LogRecord.DESCRIPTOR.fields_by_name


class Invalid(Exception):
    pass


def expect(holds, rule):
    if not holds:
        raise Invalid(rule)


def values_of(attributes):
    values = {attribute.key: attribute.value for attribute in attributes}
    expect(len(values) == len(attributes) and all(values), "each key occurs once and is not empty")
    return values


def name_of(values):
    """Returns an event's name from the attribute, because many receivers lose `eventName`."""
    return values["event.name"].string_value if "event.name" in values else ""


def members(pairs):
    expect(len(dict(pairs)) == len(pairs), "each member occurs once")
    return dict(pairs)


def records(text):
    """Returns the log records of a body, each with its values and those of its resource by key."""
    found = []
    try:
        json.loads(text, object_pairs_hook=members)
        request = json_format.Parse(text, ExportLogsServiceRequest(), ignore_unknown_fields=not KNOWS_NAMES)
    except (json_format.ParseError, ValueError) as error:
        raise Invalid(str(error)) from None
    expect(ExportLogsServiceRequest.FromString(request.SerializeToString()) == request, "the binary form is equal")
    for resource in request.resource_logs:
        origin = values_of(resource.resource.attributes)
        expect("service.name" in origin, "the resource has a service.name")
        for scope in resource.scope_logs:
            expect(scope.scope.name, "the scope has a name")
            for record in scope.log_records:
                expect(record.severity_number == 9, "a record is of severity INFO")
                expect(record.time_unix_nano == record.observed_time_unix_nano, "both times of a record are equal")
                values = values_of(record.attributes)
                expect(name_of(values), "a record has a name")
                has_values = all(value.WhichOneof("value") for value in values.values())
                expect(has_values or name_of(values) == "$identify", "only a removed trait has no value")
                expect(not KNOWS_NAMES or record.event_name == name_of(values), "both names of a record are equal")
                found.append((record, values, origin))
    ids = {values["log.record.uid"].string_value for _, values, _ in found if "log.record.uid" in values}
    expect(found and len(ids) == len(found), "a body has records, each with an id")
    return found


def main(paths):
    count = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            try:
                found = records(file.read())
            except Invalid as error:
                sys.exit(f"{path}: {error}")
        count += len(found)
        for record, values, origin in found:
            print(name_of(values), record.time_unix_nano, record.severity_number)
            for key, value in sorted({**origin, **values}.items()):
                print(" ", key, json.dumps(json_format.MessageToDict(value), sort_keys=True))
    print(f"OTLP: {len(paths)} bodies with {count} log records are read by the official definitions "
          f"{'with' if KNOWS_NAMES else 'without'} eventName", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
