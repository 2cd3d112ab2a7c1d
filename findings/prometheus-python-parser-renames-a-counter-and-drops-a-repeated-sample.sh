#!/usr/bin/env bash
# Question: Does the parser of the official Python client give the samples of a text as they are on the wire?
# Guess: Yes, and it refuses what the format forbids.
# Behaviour: A counter `events` of the text format, which Prometheus stores as `events`, is read as `events_total`, so
# a check by name looks for a series that does not exist. In OpenMetrics a repeated sample, which the format forbids,
# is dropped without an error and the first value stays; the text parser returns both.
# Versions: prometheus-client 0.26.0.

. "$(dirname "$0")/finding.bash"
python_packages prometheus-client==0.26.0

seen <<'END'
text, counter events: events_total 5
text, repeated sample: lag 1, lag 2
OpenMetrics, repeated sample: lag 1
END
compare python3 - <<'END'
from prometheus_client import openmetrics, parser
import prometheus_client.openmetrics.parser

def show(label, read, text):
    samples = (f"{sample.name} {sample.value:g}" for family in read(text) for sample in family.samples)
    print(f"{label}:", ", ".join(samples))

text = parser.text_string_to_metric_families
strict = prometheus_client.openmetrics.parser.text_string_to_metric_families
show("text, counter events", text, "# TYPE events counter\nevents 5\n")
show("text, repeated sample", text, "# TYPE lag gauge\nlag 1\nlag 2\n")
show("OpenMetrics, repeated sample", strict, "# TYPE lag gauge\nlag 1\nlag 2\n# EOF\n")
END
