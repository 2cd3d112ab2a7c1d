import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import DeliveryLogging

/// Tests that compare every sentence of the library with a file, byte for byte.
///
/// The variable `GOLDEN_TEXTS` names a file to which the test writes the present texts.
@Suite struct GoldenTextTests {
    @Test func `the texts are those of the file`() throws {
        var texts = GoldenTexts()
        texts.addAll()

        let found = texts.lines.joined(separator: "\n")

        Attachment.record(found, named: "texts.golden")
        if let path = ProcessInfo.processInfo.environment["GOLDEN_TEXTS"] {
            try Data("\(found)\n".utf8).write(to: URL(filePath: path))
        }
        let expected = try Fixture.text("texts.golden").split(separator: "\n", omittingEmptySubsequences: false)
        let differences = zip(found.split(separator: "\n", omittingEmptySubsequences: false), expected)
            .filter { $0 != $1 }
        #expect(differences.isEmpty, "\(differences.prefix(20))")
        #expect(found.utf8.elementsEqual(expected.joined(separator: "\n").utf8))
    }
}

/// An enumerator of the texts of all reasons, pauses, failures, errors, diagnostics and states.
private struct GoldenTexts {
    private(set) var lines: [String] = []
    /// The texts of causes, and the number of each text.
    private var texts: [String] = []
    private var numbers: [String: Int] = [:]
    private var descriptions: [String] = []

    private static let vendor = LaneID(product: "DL", service: "braise")
    private static let receivers = ["", "collector.example:443"]
    private static let names: [[String]] = [
        [], ["braze"], ["adobe", "firebase", "lines", "mixpanel", "segment", "sumo"],
    ]

    mutating func addAll() {
        addLosses()
        addPauses()
        addFailures()
        addStorageErrors()
        addDiagnostics()
        addDestinations()
        addStates()
        addFlushes()
        begin("texts")
        lines += texts
        begin("descriptions")
        lines += descriptions
    }

    private mutating func begin(_ title: String) { lines += [lines.isEmpty ? "" : "\n"] + ["# \(title)"] }

    /// Adds the numbers of the texts of a lane's causes.
    private mutating func add(_ title: String, _ lane: LaneStatistics) {
        lines.append("\(title): \(numbers(of: lane))")
    }

    private static func text(_ cause: Explanation, logged: [Explanation]) -> String {
        let marks = [(cause.isIntended, "intended"), (!logged.contains(cause), "unlogged"), (cause.isLoss, "loss")]
        return ([cause.name] + marks.filter(\.0).map(\.1)).joined(separator: " ") + "\t\(cause)"
    }

    private mutating func addLosses() {
        begin("losses")
        let others = [
            DropReason.rule("name_empty"), DropReason("middleware.filter"), DropReason("later"), DropReason("rule."),
        ]
        for reason in DropReason.all + others {
            lines.append("\(reason) \(reason.isIntended)")
            for (count, vendors) in [1, 2].flatMap({ count in GoldenTexts.names.map { (count, $0) } }) {
                var surroundings = LaneSurroundings()
                surroundings.vendors = vendors
                var ledger = LaneLedger()
                ledger.accepted = count
                ledger.drop(count, reason)
                for purpose in ["", "analytics"] {
                    let lane = LaneStatistics(
                        id: GoldenTexts.vendor,
                        ledger: ledger,
                        purpose: purpose,
                        status: LaneStatus(hasDestination: reason != .noDestination || count == 1),
                        surroundings: surroundings
                    )
                    add("\(reason) \(count) \(vendors.count) \(purpose)", lane)
                }
            }
        }
    }

    private static let statuses: [Int?] =
        [nil, 200, 400, 401, 403, 404, 410, 411, 413, 415, 418, 421, 422, 429, 431] + Array(500...511)
    private static let kinds: [LaneFailure.Kind] = [.retry, .paused, .refused, .dropped, .tooLarge, .clock]

    private func failure(_ kind: LaneFailure.Kind, _ status: Int?, code: String, receiver: String = "h:9")
        -> LaneFailure
    {
        LaneFailure(time: Timestamp(microseconds: 0), kind: kind, status: status, code: code, receiver: receiver)
    }

    private func lane(
        pause: (reason: PauseReason, isOfEarlierRun: Bool)? = nil,
        next: Duration? = nil,
        failure: LaneFailure?
    ) -> LaneStatistics {
        var (ledger, status) = (LaneLedger(), LaneStatus(hasDestination: true))
        ledger.accepted = 1
        status.pause = pause.map { pause in
            LanePause(
                reason: pause.reason,
                since: Timestamp(microseconds: 1_772_323_200_000_000),
                isOfEarlierRun: pause.isOfEarlierRun
            )
        }
        return LaneStatistics(
            id: GoldenTexts.vendor,
            ledger: ledger,
            status: status,
            nextAttempt: next,
            lastFailure: failure,
            now: Timestamp(microseconds: 1_772_323_200_000_000 + (failure?.status == 403 ? 86_400_000_000 : 60_000_000))
        )
    }

    private mutating func addPauses() {
        begin("pauses")
        for reason in PauseReason.allCases {
            add(reason.rawValue, lane(pause: (reason, false), failure: nil))
            add("\(reason.rawValue) earlier", lane(pause: (reason, true), failure: nil))
            for (kind, status) in GoldenTexts.kinds.flatMap({ kind in GoldenTexts.statuses.map { (kind, $0) } }) {
                let failure = failure(kind, status, code: kind == .clock ? "-259200" : reason.rawValue)
                let title = "\(reason.rawValue) \(failure)"
                add(title, lane(pause: (reason, false), next: .seconds(150), failure: failure))
                guard kind == .paused else { continue }
                add("\(title) earlier", lane(pause: (reason, true), next: .zero, failure: failure))
            }
        }
    }

    /// The codes of failures without a response, with a receiver's own code.
    private static let codes = [
        "", "host not found", "connection refused", "connection lost", "TLS handshake failed",
        "certificate not trusted", "certificate for another host", "invalid response", "no response within 30 s",
        "no response within 16 min", "no response before the engine closed", "connection failed: no route", "timed out",
        "cancelled", "endpoint", "credentials", "intercepted", "protocolMismatch", "own_code",
    ]

    private mutating func addFailures() {
        begin("failures")
        for kind in GoldenTexts.kinds where kind != .clock {
            for (code, status) in GoldenTexts.codes.flatMap({ code in [nil, 404, 429, 503].map { (code, $0) } }) {
                for (receiver, next) in zip(GoldenTexts.receivers, [nil, Duration.milliseconds(90_500)]) {
                    let failure = failure(kind, status, code: code, receiver: receiver)
                    add("\(failure) \(code)", lane(next: next, failure: failure))
                }
            }
        }
        for ahead in ["-259200", "7200", "90", "", "\(Int64.max)", "\(Int64.min)"] {
            add("clock \(ahead)", lane(failure: failure(.clock, 200, code: ahead)))
        }
        add("none", lane(next: .seconds(3), failure: nil))
        lines.append(DecisionError.notStored(.full).description)
        lines.append(DecisionError.notYetClean(.suspended).description)
    }

    private static let errors: [OutboxError] = [
        .full, .busy, .directoryInUse, .notLockable(code: 13), .corrupt, .newerVersion(9), .olderVersion(1),
        .beyondLimit, .unavailable(code: 2), .foreign(.kind), .foreign(.owner), .foreign(.permissions),
        .foreign(.links), .vanished, .notOpen, .suspended, .failed(code: 1034),
    ]

    private mutating func addStorageErrors() {
        begin("storage")
        for error in GoldenTexts.errors {
            lines.append("\(error)")
            for (directory, isOwn) in [("", false), ("/var/events", false), ("/var/events", true), ("", true)] {
                var surroundings = LaneSurroundings()
                (surroundings.directory, surroundings.isUsedByThisProcess) = (directory, isOwn)
                let lane = LaneStatistics(
                    id: GoldenTexts.vendor,
                    ledger: LaneLedger(),
                    storageFailure: error,
                    surroundings: surroundings
                )
                add("\(directory) \(isOwn)", lane)
            }
        }
    }

    private mutating func addDiagnostics() {
        begin("diagnostics")
        let lane = GoldenTexts.vendor
        let all: [Diagnostic] =
            [
                .opened(pending: 1), .opened(pending: 2), .storageRecovered, .permissionsRestored(directory: "/d"),
                .recovered(events: 1), .recovered(events: 2), .consentLost(.analytics), .quotasLost(.full),
                .dropped(lane: lane, reason: .expired, count: 3), .retrying(lane: lane, cause: "c", wait: .seconds(3)),
                .quarantined(lane: lane, id: EventID(high: 1, low: 2), reason: "CANARY"), .resumed(lane: lane),
                .consentAssumed(.analytics),
                .duplicateVendor(lane), .userIDLooksPersonal, .idTooLong,
            ] + GoldenTexts.errors.map(Diagnostic.storageFailed)
            + PauseReason.allCases.map { .paused(lane: lane, reason: $0) }
        for diagnostic in all {
            let incident = diagnostic.incident.map { GoldenTexts.text($0, logged: [$0]) } ?? "-"
            lines.append("\(diagnostic)\t\(diagnostic.incidentLane?.description ?? "-")\t\(incident)")
        }
    }

    private mutating func addDestinations() {
        begin("lanes without a destination")
        for served in [[], ["TY/adobe"], ["DL/braze", "TY/adobe"], (1...6).map { "T\($0)/line" }] {
            var surroundings = LaneSurroundings()
            surroundings.served = served
            for reason in [nil, DropReason.noTracker, .vendorDisabled, .expired] {
                var ledger = LaneLedger()
                ledger.accepted = 2
                if let reason { ledger.drop(reason == .vendorDisabled ? 1 : 2, reason) }
                let lane = LaneStatistics(id: GoldenTexts.vendor, ledger: ledger, surroundings: surroundings)
                add("\(served.count) \(reason?.name ?? "-")", lane)
            }
        }
    }

    private mutating func addStates() {
        begin("states")
        let phases: [(String, LaneSurroundings.Phase)] = [
            ("unopened", .unopened), ("open", .open), ("closed", .closed),
        ]
        let consents: [Consent] = [.unknown, .granted, .denied]
        let holds: [Set<HoldReason>] = [[], [.maintenance, .lowPower]]
        let pauses: [LanePause?] = [
            nil, LanePause(reason: .credentials, since: nil, isOfEarlierRun: false),
            LanePause(reason: .credentials, since: nil, isOfEarlierRun: true),
        ]
        let ages: [(String, oldest: Duration?, request: Duration?, sending: Duration?)] = [
            ("new", .seconds(4), .seconds(4), nil), ("old", .seconds(180), nil, nil), ("slow", nil, .seconds(5), nil),
            ("scheduled", .seconds(9), nil, .seconds(7_200)),
        ]
        let failures: [(String, LaneFailure?, isEarlier: Bool, next: Duration?)] = [
            ("-", nil, false, nil), ("retry", failure(.retry, 503, code: ""), false, .seconds(2)),
            ("refused", failure(.refused, 400, code: "x"), false, nil),
            ("earlier", failure(.retry, nil, code: "connection refused"), true, .seconds(56)),
            ("settled", failure(.retry, nil, code: "connection refused"), true, nil),
        ]
        let ledgers: [(String, LaneLedger)] = [
            ("none", GoldenTexts.ledger(0)), ("one", GoldenTexts.ledger(1)), ("lost", GoldenTexts.ledger(3)),
        ]
        for (phase, consent) in phases.flatMap({ phase in consents.map { (phase, $0) } }) {
            for (hold, pause) in holds.flatMap({ hold in pauses.map { (hold, $0) } }) {
                for (age, failure) in ages.flatMap({ age in failures.map { (age, $0) } }) {
                    let causes = ledgers.map { name, ledger in
                        var status = LaneStatus(hasDestination: true, consent: consent)
                        (status.holds, status.pause) = (hold, pause)
                        status.isFailureOfEarlierRun = failure.isEarlier
                        let lane = LaneStatistics(
                            id: GoldenTexts.vendor,
                            ledger: ledger,
                            oldestQueuedAge: age.oldest,
                            purpose: "analytics",
                            status: status,
                            nextAttempt: failure.next,
                            nextSending: age.sending,
                            lastFailure: failure.1,
                            request: age.request.map { ($0, age.oldest == nil ? "" : "h:9") },
                            surroundings: LaneSurroundings(phase: phase.1)
                        )
                        if failure.0 == "-", pause == nil { descriptions.append("\(lane)") }
                        return "\(name) \(numbers(of: lane))"
                    }
                    let isPaused = pause.map { $0.isOfEarlierRun ? "earlier" : "paused" } ?? "-"
                    let state = "\(phase.0) \(consent) \(hold.count) \(isPaused) \(age.0) \(failure.0)"
                    lines.append("\(state): \(causes.joined(separator: ", "))")
                }
            }
        }
    }

    private static func ledger(_ count: Int) -> LaneLedger {
        var ledger = LaneLedger()
        ledger.accepted = count
        guard count > 1 else { return ledger }
        ledger.accepted += 6
        (ledger.delivered, ledger.quarantined) = (1, 2)
        for (reason, count) in [(DropReason.consentDenied, 1), (.noDestination, 1), (.expired, 1)] {
            ledger.drop(count, reason)
        }
        return ledger
    }

    /// Returns the numbers of the texts of a lane's causes.
    private mutating func numbers(of lane: LaneStatistics) -> String {
        let causes = lane.explanations.map { GoldenTexts.text($0, logged: lane.loggedCauses) }
        let found = (causes.isEmpty ? ["-"] : causes).map { text in
            let number = numbers[text, default: texts.count]
            if number == texts.count {
                numbers[text] = number
                texts.append("\(number)\t\(text)")
            }
            return "\(number)"
        }
        return found.joined(separator: " ")
    }

    private mutating func addFlushes() {
        begin("flushes")
        let outcomes: [FlushReport.Outcome] =
            [
                .drained, .timedOut, .waiting, .onHold([.maintenance, .lowPower]), .withoutConsent, .noDestination,
                .notOpen, .storageUnavailable(.full),
            ] + PauseReason.allCases.map { .paused($0) }
        lines += outcomes.map(\.description)
        let buffer = EventBuffer(clock: TestClock(), eventTime: nil, capacity: 3)
        let reporter = FlushReporter(buffer: buffer)
        lines.append(reporter.report(nil).description)
        for _ in 1...2 { buffer.lane(GoldenTexts.vendor).track("viewed") }
        lines.append(reporter.report(nil, isOpen: false).description)
        for _ in 1...3 { buffer.lane(LaneID(product: "T", service: "lines")).track("viewed") }
        lines.append(reporter.report(nil, isOpen: false).debugDescription)
    }
}
