import CoreTracker
import DeliveryMetrics
import EventDeliveryAPI
import Testing

@Suite struct PrometheusTextTests {
    @Test func `without lanes there is no text`() {
        #expect(LaneStatistics.prometheusText([]).isEmpty)
    }

    @Test func `each lane has its counters, gauges and request durations`() {
        var ledger = LaneLedger()
        ledger.accepted = 10
        ledger.delivered = 6
        ledger.drop(1, .expired)
        ledger.drop(2, .bufferFull)
        var requests = RequestStatistics()
        requests.record(.milliseconds(1_500), hasFailed: false)
        requests.record(.milliseconds(250), hasFailed: true)
        let lanes = [
            LaneStatistics(
                id: LaneID(product: "T", service: "lines"),
                ledger: ledger,
                oldestQueuedAge: .milliseconds(2_500),
                requests: requests,
                storageFailure: .full
            ),
            LaneStatistics(id: LaneID(product: "U", service: "lines"), ledger: LaneLedger()),
        ]

        let text = LaneStatistics.prometheusText(lanes)

        let expected = """
            # HELP event_delivery_events_accepted_total Events that track has accepted.
            # TYPE event_delivery_events_accepted_total counter
            event_delivery_events_accepted_total{product="T",service="lines"} 10
            event_delivery_events_accepted_total{product="U",service="lines"} 0
            # HELP event_delivery_events_delivered_total Events that the receiver has acknowledged.
            # TYPE event_delivery_events_delivered_total counter
            event_delivery_events_delivered_total{product="T",service="lines"} 6
            event_delivery_events_delivered_total{product="U",service="lines"} 0
            # HELP event_delivery_events_dropped_total Lost events, by reason.
            # TYPE event_delivery_events_dropped_total counter
            event_delivery_events_dropped_total{product="T",service="lines",reason="buffer_full"} 2
            event_delivery_events_dropped_total{product="T",service="lines",reason="expired"} 1
            # HELP event_delivery_events_pending Accepted events that are neither delivered nor dropped.
            # TYPE event_delivery_events_pending gauge
            event_delivery_events_pending{product="T",service="lines"} 1.0
            """
        #expect(text.hasPrefix(expected + "\n"))
        for line in [
            #"event_delivery_oldest_event_age_seconds{product="T",service="lines"} 2.5"#,
            #"event_delivery_storage_failed{product="T",service="lines"} 1.0"#,
            #"event_delivery_storage_failed{product="U",service="lines"} 0.0"#,
            "# TYPE event_delivery_request_duration_seconds summary",
            #"event_delivery_request_duration_seconds_sum{product="T",service="lines"} 1.75"#,
            #"event_delivery_request_duration_seconds_count{product="T",service="lines"} 2"#,
            #"event_delivery_requests_failed_total{product="T",service="lines"} 1"#,
        ] {
            #expect(text.contains("\n" + line + "\n"))
        }
    }

    @Test func `labels are escaped, and each line follows the format`() throws {
        let lane = LaneStatistics(id: LaneID(product: "a\"b\\c\nd", service: "ü\r\n"), ledger: LaneLedger())

        let text = LaneStatistics.prometheusText([lane])

        #expect(text.hasSuffix("\n"))
        #expect(text.contains(#"{product="a\"b\\c\nd",service="ü"# + "\r" + #"\n"}"#))
        let sample = /[a-z_]+\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\} [0-9.e+-]+/
            .matchingSemantics(.unicodeScalar)
        var types: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# (?:HELP|TYPE) ([a-z_]+) .+/) {
                types[match.1, default: 0] += 1
            } else {
                #expect(try sample.wholeMatch(in: line) != nil, "\(line)")
            }
        }
        #expect(types.values.allSatisfy { $0 == 2 })
    }
}
