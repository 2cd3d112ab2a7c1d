#!/usr/bin/env bash
# Question: What does OpenTelemetry's Prometheus exporter make of the attributes `lane.id` and `lane_id`, both valid?
# Guess: One label with both values joined by `;`, as its specification says.
# Behaviour: One label with the value of the last attribute; the other value is gone without a warning. And a counter
# `sent_total` in bytes becomes `sent_bytes_total`, but `bytes_total` becomes `bytes_bytes_total`.
# Versions: opentelemetry-exporter-prometheus 0.66b2, prometheus-client 0.26.0.

. "$(dirname "$0")/finding.bash"
python_packages opentelemetry-exporter-prometheus==0.66b2 prometheus-client==0.26.0

seen <<'END'
events_total: lane_id=second
sent_bytes_total: -
bytes_bytes_total: -
END
compare python3 - <<'END'
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import REGISTRY

meter = MeterProvider([PrometheusMetricReader()]).get_meter("meter")
meter.create_counter("events").add(1, {"lane.id": "first", "lane_id": "second"})
meter.create_counter("sent_total", unit="By").add(1)
meter.create_counter("bytes_total", unit="By").add(1)
for family in REGISTRY.collect():
    for sample in family.samples:
        if sample.name.endswith("_total") and "otel_scope_name" in sample.labels:
            labels = ", ".join(f"{key}={value}" for key, value in sample.labels.items() if "otel" not in key)
            print(f"{sample.name}:", labels or "-")
END
