import CoreTracker
import DeliveryLogging
public import EventTracking

extension LaneStatistics {
    /// Returns the statistics of all lanes in the text format of Prometheus, version 0.0.4.
    ///
    /// Serve it with the content type ``prometheusContentType``. Each sample has the labels `product` and `service`.
    /// Counters of events come from the ledger and continue after a restart. Counters of requests start at zero when
    /// the engine opens. Each unintended reason for a loss has a sample, even a sample of 0, once the engine has read its
    /// directory. The format: <https://prometheus.io/docs/instrumenting/exposition_formats/>.
    ///
    /// ```swift
    /// let text = await LaneStatistics.prometheusText(engine.statistics())
    /// ```
    ///
    /// - Parameter lanes: The statistics of the lanes.
    /// - Returns: The text, whose last line ends with a line feed, or an empty text without lanes.
    public static func prometheusText(_ lanes: [LaneStatistics]) -> String {
        guard !lanes.isEmpty else { return "" }
        return PrometheusMetric.all.map { $0.text(lanes) }.joined()
    }

    /// The content type of ``prometheusText(_:)``.
    public static let prometheusContentType = "text/plain; version=0.0.4; charset=utf-8"
}

/// A metric of a lane: its name, its type, its help and its samples.
private struct PrometheusMetric: Sendable {
    /// A value, with the suffix of its name and the labels in addition to the lane's labels.
    struct Sample {
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        let value: String
    }

    let name: String
    let type: String
    let help: String
    let samples: @Sendable (LaneStatistics) -> [Sample]

    static let all: [PrometheusMetric] = [
        counter("events_accepted_total", "Events that track has accepted.") { $0.ledger.accepted },
        counter("events_delivered_total", "Events that the receiver has acknowledged.") { $0.ledger.delivered },
        PrometheusMetric(name: "events_dropped_total", type: "counter", help: "Lost events, by reason.") { lane in
            let dropped = lane.ledger.dropped
            let reasons = Set(dropped.keys).union(lane.hasCompleteLedger ? unintendedReasons : [])
            return reasons.sorted { $0.name < $1.name }
                .map { reason in
                    Sample(
                        labels: [("reason", reason.name), ("intended", "\(reason.isIntended)")],
                        value: "\(dropped[reason, default: 0])"
                    )
                }
        },
        gauge("events_pending", "Accepted events that are neither delivered nor dropped.") {
            Double($0.ledger.pending)
        },
        gauge("events_quarantined", "Events that the receiver has refused.") { Double($0.ledger.quarantined) },
        gauge("events_awaiting_consent", "Pending events that wait for consent.") { Double($0.eventsAwaitingConsent) },
        gauge("oldest_event_age_seconds", "Time since the oldest queued event was stored.") {
            $0.oldestQueuedAge?.inSeconds ?? 0
        },
        state("paused", "1 if the lane only probes its receiver, by reason.") { $0.pauseReason?.rawValue },
        state("storage_failed", "1 if the storage is unavailable, by reason.") { lane in
            lane.storageObstacle.map { String($0.name.dropFirst("storage.".count)) }
        },
        PrometheusMetric(
            name: "request_duration_seconds",
            type: "summary",
            help: "Time from the start of a request to its response or failure."
        ) { lane in
            [
                Sample(suffix: "_sum", value: "\(lane.requests.duration.inSeconds)"),
                Sample(suffix: "_count", value: "\(lane.requests.count)"),
            ]
        },
        counter(
            "requests_failed_total",
            "Requests without a response, or with one that refuses or postpones the whole batch."
        ) {
            $0.requests.failed
        },
        counter("acknowledgements_without_details_total", "Acknowledgements whose body was not read completely.") {
            $0.requests.withoutDetails
        },
    ]

    /// The library's unintended reasons for a loss.
    ///
    /// An increase from 0 is visible to Prometheus, and a counter that appears with its first loss is not.
    private static let unintendedReasons = DropReason.all
        .filter { !$0.isIntended }

    private static func counter(
        _ name: String,
        _ help: String,
        _ value: @escaping @Sendable (LaneStatistics) -> Int
    ) -> PrometheusMetric {
        PrometheusMetric(name: name, type: "counter", help: help) { [Sample(value: "\(value($0))")] }
    }

    private static func gauge(
        _ name: String,
        _ help: String,
        _ value: @escaping @Sendable (LaneStatistics) -> Double
    ) -> PrometheusMetric {
        PrometheusMetric(name: name, type: "gauge", help: help) { [Sample(value: "\(value($0))")] }
    }

    /// Returns a gauge that is 1 with the reason for a state, or 0 with the reason `none`.
    private static func state(
        _ name: String,
        _ help: String,
        _ reason: @escaping @Sendable (LaneStatistics) -> String?
    ) -> PrometheusMetric {
        PrometheusMetric(name: name, type: "gauge", help: help) { lane in
            let reason = reason(lane)
            return [Sample(labels: [("reason", reason ?? "none")], value: reason == nil ? "0.0" : "1.0")]
        }
    }

    /// Returns the lines of the metric: its help, its type, and the samples of all lanes.
    func text(_ lanes: [LaneStatistics]) -> String {
        let full = "event_delivery_\(name)"
        var text = "# HELP \(full) \(help)\n# TYPE \(full) \(type)\n"
        for lane in lanes {
            for sample in samples(lane) {
                let labels = [("product", lane.id.product), ("service", lane.id.service)] + sample.labels
                let pairs = labels.map { "\($0)=\"\(PrometheusMetric.escaped($1))\"" }.joined(separator: ",")
                text += "\(full)\(sample.suffix){\(pairs)} \(sample.value)\n"
            }
        }
        return text
    }

    /// Returns a label's value with escaped backslashes, quotation marks and line feeds.
    private static func escaped(_ value: String) -> String {
        var escaped = String.UnicodeScalarView()
        // A character can consist of a carriage return and a line feed.
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped.append(contentsOf: ["\\", scalar])
            case "\n": escaped.append(contentsOf: ["\\", "n"])
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension LaneStatistics {
    /// Whether the ledger includes the counts of earlier runs.
    ///
    /// A sample of 0 without them would be followed by a jump, which looks like a loss.
    fileprivate var hasCompleteLedger: Bool { now != nil && storageFailure != .directoryInUse }
}

extension Duration {
    /// The number of seconds.
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
