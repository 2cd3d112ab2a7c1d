"""Parses bodies of OTLP/HTTP with OpenTelemetry's protobuf definitions: check.py FILE…

An unknown member, a wrong type or a value in two forms is an error. The script also checks rules beyond the types: each
record has a name, times and a unique id, and no key occurs twice in a list.
"""

import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest


class Invalid(Exception):
    pass


def expect(holds, rule):
    if not holds:
        raise Invalid(rule)


def values_of(attributes):
    values = {attribute.key: attribute.value for attribute in attributes}
    expect(len(values) == len(attributes) and all(values), "each key occurs once and is not empty")
    expect(all(value.WhichOneof("value") for value in values.values()), "each attribute has a value")
    return values


def members(pairs):
    expect(len(dict(pairs)) == len(pairs), "each member occurs once")
    return dict(pairs)


def records(text):
    """Returns the log records of a body, each with its values by key."""
    found = []
    try:
        json.loads(text, object_pairs_hook=members)
        request = json_format.Parse(text, ExportLogsServiceRequest())
    except (json_format.ParseError, ValueError) as error:
        raise Invalid(str(error)) from None
    expect(ExportLogsServiceRequest.FromString(request.SerializeToString()) == request, "the binary form is equal")
    for resource in request.resource_logs:
        expect("service.name" in values_of(resource.resource.attributes), "the resource has a service.name")
        for scope in resource.scope_logs:
            expect(scope.scope.name, "the scope has a name")
            for record in scope.log_records:
                expect(record.event_name, "a record has a name")
                expect(record.severity_number == 9, "a record is of severity INFO")
                expect(record.time_unix_nano == record.observed_time_unix_nano, "both times of a record are equal")
                found.append((record, values_of(record.attributes)))
    ids = {values["log.record.uid"].string_value for _, values in found if "log.record.uid" in values}
    expect(found and len(ids) == len(found), "a body has records, each with an id")
    return found


def main(paths):
    count = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            try:
                count += len(records(file.read()))
            except Invalid as error:
                sys.exit(f"{path}: {error}")
    print(f"OTLP: {len(paths)} bodies with {count} log records are read by the official definitions")


if __name__ == "__main__":
    main(sys.argv[1:])
