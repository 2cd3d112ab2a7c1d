import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Testing

@testable import EventDeliveryScenes

@Suite struct PrometheusTextTests {
    private let now = Timestamp(microseconds: 1_772_359_200_000_000)

    /// Returns the counters of lost events: the labels after the lane's, and the value.
    private func losses(_ lanes: [LaneStatistics]) -> [String] {
        LaneStatistics.prometheusText(lanes).split(separator: "\n").compactMap { line in
            let reason = line.wholeMatch(of: /event_delivery_events_dropped_total\{.*reason="([^"]*)",(.*)/)
            return reason.map { "\($0.1) \($0.2)" }
        }
    }

    @Test func `without lanes there is no text`() {
        #expect(LaneStatistics.prometheusText([]).isEmpty)
    }

    @Test func `each lane has its counters, gauges and request durations`() {
        var ledger = LaneLedger()
        ledger.accepted = 11
        ledger.delivered = 6
        ledger.drop(1, .expired)
        ledger.drop(2, .bufferFull)
        ledger.drop(1, .sampledOut)
        var requests = RequestStatistics()
        requests.record(.milliseconds(1_500), hasFailed: false)
        requests.record(.milliseconds(250), hasFailed: true)
        let lanes = [
            LaneStatistics(
                id: LaneID(product: "T", service: "lines"),
                ledger: ledger,
                oldestQueuedAge: .milliseconds(2_500),
                requests: requests,
                storageFailure: .full,
                now: now
            ),
            LaneStatistics(id: LaneID(product: "U", service: "lines"), ledger: LaneLedger(), now: now),
        ]

        let text = LaneStatistics.prometheusText(lanes)

        let expected = """
            # HELP event_delivery_events_accepted_total Events that track has accepted.
            # TYPE event_delivery_events_accepted_total counter
            event_delivery_events_accepted_total{product="T",service="lines"} 11
            event_delivery_events_accepted_total{product="U",service="lines"} 0
            # HELP event_delivery_events_delivered_total Events that the receiver has acknowledged.
            # TYPE event_delivery_events_delivered_total counter
            event_delivery_events_delivered_total{product="T",service="lines"} 6
            event_delivery_events_delivered_total{product="U",service="lines"} 0
            # HELP event_delivery_events_dropped_total Lost events, by reason.
            # TYPE event_delivery_events_dropped_total counter
            event_delivery_events_dropped_total{product="T",service="lines",reason="budget_bytes",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="budget_consent",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="budget_count",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="buffer_bytes",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="buffer_full",intended="false"} 2
            event_delivery_events_dropped_total{product="T",service="lines",reason="closed",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="corrupted",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="dropped_by_receiver",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="event_too_large",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="expired",intended="false"} 1
            event_delivery_events_dropped_total{product="T",service="lines",reason="id_too_long",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="no_destination",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="no_tracker",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="no_vendor_service",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="other",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="parameters_too_deep",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="quarantine_full",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="sampled_out",intended="true"} 1
            event_delivery_events_dropped_total{product="T",service="lines",reason="storage_full",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="too_many_lanes",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="too_many_parameters",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="vendor_not_registered",intended="false"} 0
            event_delivery_events_dropped_total{product="T",service="lines",reason="vendor_without_events",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="budget_bytes",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="budget_consent",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="budget_count",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="buffer_bytes",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="buffer_full",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="closed",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="corrupted",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="dropped_by_receiver",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="event_too_large",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="expired",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="id_too_long",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="no_destination",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="no_tracker",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="no_vendor_service",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="other",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="parameters_too_deep",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="quarantine_full",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="storage_full",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="too_many_lanes",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="too_many_parameters",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="vendor_not_registered",intended="false"} 0
            event_delivery_events_dropped_total{product="U",service="lines",reason="vendor_without_events",intended="false"} 0
            # HELP event_delivery_events_pending Accepted events that are neither delivered nor dropped.
            # TYPE event_delivery_events_pending gauge
            event_delivery_events_pending{product="T",service="lines"} 1.0
            """
        #expect(text.hasPrefix(expected + "\n"))
        for line in [
            #"event_delivery_oldest_event_age_seconds{product="T",service="lines"} 2.5"#,
            #"event_delivery_storage_failed{product="T",service="lines",reason="full"} 1.0"#,
            #"event_delivery_storage_failed{product="U",service="lines",reason="none"} 0.0"#,
            "# TYPE event_delivery_request_duration_seconds summary",
            #"event_delivery_request_duration_seconds_sum{product="T",service="lines"} 1.75"#,
            #"event_delivery_request_duration_seconds_count{product="T",service="lines"} 2"#,
            #"event_delivery_requests_failed_total{product="T",service="lines"} 1"#,
        ] {
            #expect(text.contains("\n" + line + "\n"))
        }
    }

    @Test func `a first loss of each reason adds only the series of intended reasons`() {
        let id = LaneID(product: "T", service: "lines")
        var ledger = LaneLedger()
        for reason in DropReason.all { ledger.drop(1, reason) }
        ledger.adjust(1, "rule")
        ledger.accepted = 100
        ledger.quarantined = 1
        var requests = RequestStatistics()
        requests.record(.seconds(1), hasFailed: true, isWithoutDetails: true)
        let series = { (lane: LaneStatistics) -> Set<Substring> in
            Set(LaneStatistics.prometheusText([lane]).split(separator: "\n").map { $0.prefix { $0 != " " } })
        }

        let before = series(LaneStatistics(id: id, ledger: LaneLedger(), now: now))
        let after = series(
            LaneStatistics(
                id: id,
                ledger: ledger,
                oldestQueuedAge: .seconds(1),
                requests: requests,
                now: now
            )
        )

        let added = after.subtracting(before)
        #expect(before.isSubset(of: after))
        #expect(added.count == DropReason.all.count { $0.isIntended })
        #expect(added.allSatisfy { $0.contains("events_dropped_total{") && $0.hasSuffix(#",intended="true"}"#) })
    }

    @Test func `losses of rules and unknown reasons are unintended, and those of middleware are not`() {
        var ledger = LaneLedger()
        ledger.drop(3, .rule("name_empty"))
        ledger.drop(2, DropReason("middleware.debug_filter"))
        ledger.drop(1, DropReason("later"))

        let losses = losses([LaneStatistics(id: LaneID(product: "T", service: "lines"), ledger: ledger)])

        #expect(
            losses == [
                #"later intended="false"} 1"#, #"middleware.debug_filter intended="true"} 2"#,
                #"rule.name_empty intended="false"} 3"#,
            ]
        )
    }

    /// A sample of 0 would be followed by a jump to the counts of earlier runs.
    @Test func `before the engine has read the ledger of earlier runs, only losses have samples`() {
        let id = LaneID(product: "T", service: "lines")
        var ledger = LaneLedger()
        ledger.drop(2, .bufferFull)

        let unopened = LaneStatistics(id: id, ledger: ledger)
        let waiting = LaneStatistics(id: id, ledger: LaneLedger(), storageFailure: .directoryInUse, now: now)

        #expect(losses([unopened]) == [#"buffer_full intended="false"} 2"#])
        #expect(losses([waiting]).isEmpty)
    }

    @Test func `the first scrape after the opening has 0 for each loss, and a restart continues the counts`()
        async throws
    {
        let queue = try TemporaryQueue()
        let (harness, next) = (LaneHarness(directory: queue.url), LaneHarness(directory: queue.url))

        try await harness.open()
        let first = await losses(harness.engine.statistics())
        withTracking(user: String(repeating: "u", count: 5_000)) { harness.track([1]) }
        await harness.engine.close(timeout: .zero)
        try await next.open()
        let restarted = await losses(next.engine.statistics())
        await next.engine.close(timeout: .zero)

        let zeros = DropReason.all.filter { !$0.isIntended }
            .map { #"\#($0) intended="false"} 0"# }.sorted()
        #expect(first == zeros)
        #expect(restarted == zeros.map { $0.hasPrefix("id_too_long ") ? #"id_too_long intended="false"} 1"# : $0 })
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
