"""Parses bodies of OTLP/HTTP with OpenTelemetry's protobuf definitions: check.py FILE…

An unknown member, a wrong type or a value in two forms is an error. The script also checks rules beyond the types: each
record has a name, times and a unique id, and no key occurs twice in a list.
"""

import json
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest


def check_unique(attributes, place):
    keys = [attribute.key for attribute in attributes]
    assert len(keys) == len(set(keys)), f"{place}: a key appears twice: {keys}"
    assert all(keys), f"{place}: a key is empty"


def refuse_twice(pairs):
    members = dict(pairs)
    assert len(members) == len(pairs), f"a member appears twice: {[name for name, _ in pairs]}"
    return members


def records_of(path):
    text = open(path, encoding="utf-8").read()
    json.loads(text, object_pairs_hook=refuse_twice)
    request = json_format.Parse(text, ExportLogsServiceRequest())
    assert ExportLogsServiceRequest.FromString(request.SerializeToString()) == request, "the request changes if it is encoded and decoded"
    for resource in request.resource_logs:
        check_unique(resource.resource.attributes, "resource")
        assert any(attribute.key == "service.name" for attribute in resource.resource.attributes), "no service.name"
        for scope in resource.scope_logs:
            assert scope.scope.name, "no scope"
            yield from scope.log_records


count = 0
for path in sys.argv[1:]:
    try:
        ids = set()
        for record in records_of(path):
            check_unique(record.attributes, record.event_name)
            values = {attribute.key: attribute.value for attribute in record.attributes}
            assert record.event_name, "a record has no name"
            assert record.severity_number == 9, "a record is not of severity INFO"
            assert record.time_unix_nano == record.observed_time_unix_nano, "a record's times differ"
            assert all(value.WhichOneof("value") for value in values.values()), "an attribute has no value"
            ids.add(values["log.record.uid"].string_value)
            count += 1
        assert ids, "there is no record"
    except (AssertionError, json_format.ParseError, ValueError, KeyError) as error:
        sys.exit(f"{path}: {error}")
print(f"OTLP: {len(sys.argv) - 1} bodies with {count} log records are read by the official definitions")
