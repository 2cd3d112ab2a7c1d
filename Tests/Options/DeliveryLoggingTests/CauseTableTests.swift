import CoreTracker
import EventTracking
import Testing

@testable import DeliveryLogging

extension Explanation {
    fileprivate init(_ name: String, _ cause: String, cure: String, isIntended: Bool = false) {
        self.init(name)
        (self.cause, self.cure, self.isIntended) = (cause, cure, isIntended)
    }
}

@Suite struct CauseTableTests {
    private let lane = LaneID(product: "DL", service: "firebase")
    private let other = LaneID(product: "DL", service: "braze")
    private let full = Explanation("storage.full", "the disk is full", cure: "free space")
    private let refused = Explanation("connection_refused", "h:1 refused the connection", cure: "check its port")

    private func second(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    private func loss(_ count: Int, isIntended: Bool = false) -> Explanation {
        Explanation("dropped.expired", "\(count) events are dropped", cure: "deliver", isIntended: isIntended)
    }

    /// Returns the lines of updates at seconds, as `second level text`.
    private func lines(_ updates: [(second: Int64, causes: [Explanation])]) -> [String] {
        var table = CauseTable()
        return updates.flatMap { update in
            table.update([(lane, update.causes)], at: second(update.second)).map {
                "\(update.second) \($0.level.rawValue) \($0)"
            }
        }
    }

    @Test func `a cause has a line when it begins and when it ends`() {
        let lines = lines([(0, [refused]), (30, [refused]), (90, []), (95, []), (200, [refused])])

        #expect(
            lines == [
                "0 warning DL/firebase: h:1 refused the connection: check its port",
                "90 notice DL/firebase: resolved: h:1 refused the connection",
                "200 warning DL/firebase: h:1 refused the connection: check its port",
            ]
        )
    }

    @Test func `the end of a cause has a line at once`() {
        let lines = lines([(0, [refused]), (3, []), (4, [])])

        #expect(lines.count == 2 && lines.last == "3 notice DL/firebase: resolved: h:1 refused the connection")
    }

    @Test func `a cause that begins and ends all the time begins and ends once in a minute`() {
        let lines = lines((0...239).map { second in (Int64(second), second.isMultiple(of: 2) ? [refused] : []) })

        let times = lines.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(times == [0, 1, 60, 61, 120, 121, 180, 181])
        #expect(lines.map { $0.contains("resolved") } == [false, true, false, true, false, true, false, true])
    }

    @Test func `the time of a line that was left out is known`() {
        var table = CauseTable()
        _ = table.update([(lane, [refused])], at: second(0))
        _ = table.update([(lane, [])], at: second(1))
        let none = table.update([(lane, [refused])], at: second(2))
        let due = table.due

        let late = table.update([(lane, [refused])], at: second(60))

        #expect(none.isEmpty && due == second(60))
        #expect(late.count == 1 && table.due == nil && table.hasCauses)
    }

    @Test func `a cause that replaces another one has a line, and the other one has none`() {
        #expect(
            lines([(0, [refused]), (70, [full]), (140, [])]).map { $0.split(separator: ":").dropFirst().joined() } == [
                " h1 refused the connection check its port", " the disk is full free space",
                " resolved the disk is full",
            ]
        )
    }

    @Test func `lanes with the same cause share a line`() {
        var table = CauseTable()

        let lines = table.update([(lane, [full]), (other, [full, refused])], at: second(0))

        #expect(lines.map(\.lanes) == [[lane, other], [other]])
        #expect(lines.first?.description == "DL/firebase, DL/braze: the disk is full: free space")
    }

    @Test func `a loss has another line when it has grown, at most once in a minute`() {
        let lines = lines([
            (0, [loss(1)]), (10, [loss(2)]), (60, [loss(3)]), (130, [loss(3)]), (131, []), (140, [loss(4)]),
        ])

        #expect(
            lines == [
                "0 warning DL/firebase: 1 events are dropped: deliver",
                "60 warning DL/firebase: 3 events are dropped: deliver",
                "140 warning DL/firebase: 4 events are dropped: deliver",
            ]
        )
    }

    @Test func `an intended loss has one line`() {
        let lines = lines([(0, [loss(1, isIntended: true)]), (90, [loss(2, isIntended: true)])])

        #expect(lines == ["0 notice DL/firebase: 1 events are dropped: deliver"])
    }

    @Test func `at the end, causes begin and do not end`() {
        var table = CauseTable()
        _ = table.update([(lane, [refused])], at: second(0))

        let lines = table.update([(lane, []), (other, [full])], at: second(100), isFinal: true)

        #expect(lines.map(\.code) == ["storage.full"])
    }

    @Test func `the line of a quarantine has the last status, and no other line if only that is missing`() {
        let quarantined = Explanation("quarantined", "2 events are in quarantine", cure: "look")
        var table = CauseTable()

        _ = table.update([(lane, [])], refusals: [lane: "status 400"], at: second(0))
        let first = table.update([(lane, [quarantined])], at: second(0))
        let later = table.update([(lane, [quarantined])], at: second(61))

        #expect(first.map(\.message) == ["2 events are in quarantine (status 400): look"])
        #expect(later == [])
    }

    @Test func `a cause of an earlier run does not end before the receiver has responded`() {
        let earlier = Explanation("earlier.connection_refused", "in an earlier run, h:1 refused", cure: "check")
        var table = CauseTable()
        _ = table.update([(lane, [earlier])], unseen: [lane], at: second(0))

        let during = table.update([(lane, [])], unseen: [lane], at: second(1))
        var other = table
        let refusedAgain = table.update([(lane, [refused])], at: second(2))
        let delivered = other.update([(lane, [])], at: second(2))

        #expect(during == [])
        #expect(refusedAgain.map(\.code) == ["connection_refused"])
        #expect(delivered.map(\.message) == ["resolved: in an earlier run, h:1 refused"])
    }

    @Test func `notices of lanes with the same text are one line`() {
        let three = Explanation("closed", "3 events are kept", cure: "")

        let lines = CauseTable.notices([(lane, three), (other, three), (LaneID(product: "TY", service: "a"), nil)])

        #expect(lines.map(\.description) == ["DL/firebase, DL/braze: 3 events are kept"])
        #expect(lines.map(\.level) == [.notice])
    }

    @Test func `at the end, the last number of a loss has a line within a minute, and an intended one has none`() {
        var table = CauseTable()
        _ = table.update([(lane, [loss(1)]), (other, [loss(1, isIntended: true)])], at: second(0))

        let last: [(LaneID, [Explanation])] = [(lane, [loss(3)]), (other, [loss(2, isIntended: true)])]
        let lines = table.update(last, at: second(2), isFinal: true)

        #expect(lines.map(\.description) == ["DL/firebase: 3 events are dropped: deliver"])
    }

    @Test func `an incident has at most one line in a minute`() {
        var table = CauseTable()
        let times: [Int64] = [0, 59, 60]

        let lines = times.map { table.report(full, of: nil, at: second($0)) }

        #expect(lines.map { $0?.description } == ["the disk is full: free space", nil, "the disk is full: free space"])
    }
}

@Suite struct DeliveryLogTests {
    private struct OtherClock: DeliveryClock {
        let bootID = "b"
        func wallTime() -> Timestamp { Timestamp(microseconds: 0) }
        func monotonicTime() -> MonotonicInstant { MonotonicInstant(nanoseconds: 0) }
        func sleep(until instant: MonotonicInstant) async throws {}
    }

    @Test(
        arguments: [
            (nil, .warnings), ("debug", .debug), ("off", nil), ("warnings", .warnings), ("loud", .warnings),
        ] as [(String?, DeliveryLog.Detail?)]
    ) func `the environment selects the detail of the standard log`(
        value: String?,
        detail: DeliveryLog.Detail?
    ) {
        let found = DeliveryLog.standard.detail(with: SystemClock()) { $0 == "EVENT_DELIVERY_LOG" ? value : nil }

        #expect(found == detail)
    }

    @Test func `the standard log is off in a preview and with another clock`() {
        #expect(DeliveryLog.standard.detail(with: OtherClock()) { _ in nil } == nil)
        let isPreview = ["XCODE_RUNNING_FOR_PREVIEWS": "1"]
        #expect(DeliveryLog.standard.detail(with: SystemClock()) { isPreview[$0] } == nil)
    }

    @Test(
        arguments: [
            (DeliveryLog.warnings, .warnings), (.debug, .debug), (.off, nil), (.custom { _ in }, .warnings),
            (.custom(.debug) { _ in }, .debug),
        ] as [(DeliveryLog, DeliveryLog.Detail?)]
    ) func `the app's choice is independent of the environment and the clock`(
        log: DeliveryLog,
        detail: DeliveryLog.Detail?
    ) {
        #expect(log.detail(with: OtherClock()) { _ in "off" } == detail)
    }

    @Test func `a line has no control characters, and at most five lanes`() {
        let lanes = (1...7).map { LaneID(product: "P\($0)", service: "a\nb") }

        let line = DeliveryLog.Entry(.warning, lanes, code: "c", "cause\r: \u{9B}2J\u{7F}cure").description

        #expect(line == "P1/a b, P2/a b, P3/a b, P4/a b, P5/a b, 2 more: cause :  2J cure")
    }
}

@Suite struct DiagnosticTextTests {
    private static let lane = LaneID(product: "DL", service: "firebase")

    @Test(arguments: [
        Diagnostic.opened(pending: 2), .storageFailed(.full), .storageRecovered, .recovered(events: 1),
        .permissionsRestored(directory: "/d"),
        .consentLost(.analytics), .quotasLost(.full), .dropped(lane: lane, reason: .expired, count: 3),
        .quarantined(lane: lane, id: EventID(high: 1, low: 2), reason: "CANARY"),
        .retrying(lane: lane, cause: "status 503", wait: .seconds(3)), .paused(lane: lane, reason: .credentials),
        .resumed(lane: lane), .consentAssumed(.analytics),
        .duplicateVendor(lane), .userIDLooksPersonal, .idTooLong, .unencrypted(receivers: ["a:80", "b:4318"]),
    ]) func `each diagnostic prints a text without the receiver's words`(diagnostic: Diagnostic) {
        let text = diagnostic.description

        #expect(text.count > 10 && text.contains(" ") && !text.contains("CANARY") && !text.contains("\n"))
    }
}
