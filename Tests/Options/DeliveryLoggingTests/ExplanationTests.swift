import CoreTracker
import EventTracking
import Testing

@testable import DeliveryLogging

@Suite struct ExplanationTests {
    @Test(arguments: DropReason.all) func `each reason of a loss has a cause and a cure`(reason: DropReason) {
        let lane = lane(losing: [reason: 2])

        let explanation = lane.explanations.first

        #expect(explanation?.name == "dropped.\(reason.name)")
        #expect(explanation?.cause.contains("2 events are") == true)
        #expect(explanation?.cure.isEmpty == false)
        #expect(explanation?.cure.hasPrefix("this loss is intended") == reason.isIntended)
        #expect(lane.explanation?.contains("\n") == false)
    }

    @Test func `no two reasons have the same sentence`() {
        let sentences = DropReason.all.map { lane(losing: [$0: 2]).explanation }

        #expect(Set(sentences).count == DropReason.all.count)
    }

    @Test(arguments: [
        (DropReason.rule("name_empty"), "1 event is refused by the rule name_empty before being stored"),
        (DropReason("middleware.debug_filter"), "1 event is dropped by the middleware debug_filter"),
        (DropReason("later"), "1 event is dropped for the reason later"),
    ]) func `the reason of a rule, a middleware or a later version is explained by its name`(
        reason: DropReason,
        cause: String
    ) {
        let explanation = lane(losing: [reason: 1]).explanations.first

        #expect(explanation?.cause == cause)
        #expect(explanation?.isIntended == reason.isIntended)
    }

    @Test func `losses that nobody wants come first, the most frequent one at the start`() {
        let lane = lane(losing: [.sampledOut: 9, DropReason("middleware.filter"): 3, .expired: 1, .bufferFull: 2])

        #expect(
            lane.explanations.map(\.name) == [
                "dropped.buffer_full", "dropped.expired", "dropped.sampled_out", "dropped.middleware.filter",
            ]
        )
    }

    @Test(arguments: [
        (LaneSurroundings.Phase.unopened, "not_open"), (.closed, "closed"),
    ]) func `events of an engine that is not open are explained`(phase: LaneSurroundings.Phase, name: String) {
        var ledger = LaneLedger()
        ledger.accepted = 1
        let lane = LaneStatistics(
            id: ExplanationTests.lane,
            ledger: ledger,
            status: LaneStatus(hasDestination: phase != .unopened),
            surroundings: LaneSurroundings(phase: phase)
        )

        #expect(lane.explanations.map(\.name) == [name])
    }

    @Test(arguments: [
        (true, LaneSurroundings.Phase.open, nil, nil), (true, .open, Duration.zero, nil),
        (true, .open, .seconds(56), "in an earlier run, h:9 refused the connection"),
        (true, .closed, nil, "in an earlier run, h:9 refused the connection"),
        (false, .open, nil, "h:9 refused the connection"), (false, .closed, nil, "h:9 refused the connection"),
    ])
    func `a failure of an earlier run is named as such, and only if the lane waits or the engine is closed`(
        isOfEarlierRun: Bool,
        phase: LaneSurroundings.Phase,
        nextAttempt: Duration?,
        cause: String?
    ) {
        var (ledger, status) = (LaneLedger(), LaneStatus(hasDestination: true))
        ledger.accepted = 1
        status.isFailureOfEarlierRun = isOfEarlierRun
        let failure = LaneFailure(
            time: Timestamp(microseconds: 0),
            kind: .retry,
            code: "connection refused",
            receiver: "h:9"
        )
        let lane = LaneStatistics(
            id: ExplanationTests.lane,
            ledger: ledger,
            status: status,
            nextAttempt: nextAttempt,
            lastFailure: failure,
            surroundings: LaneSurroundings(phase: phase)
        )

        let causes = lane.explanations.filter { $0.cause.contains("h:9") }

        #expect(causes.map(\.cause) == [cause].compactMap(\.self))
        #expect(lane.lastFailure == failure)
    }

    @Test(arguments: [(4, nil), (5, "backlog")])
    func `an event that waits for five seconds without another cause is explained`(age: Int, name: String?) {
        var ledger = LaneLedger()
        ledger.accepted = 1
        let lane = LaneStatistics(
            id: ExplanationTests.lane,
            ledger: ledger,
            oldestQueuedAge: .seconds(age),
            status: LaneStatus(hasDestination: true)
        )

        #expect(lane.explanations.first?.name == name)
    }

    @Test(arguments: [
        (
            ["DLX/firebase", "DL/adobe"],
            "the lane has no destination: did you mean DLX/firebase?"
        ),
        (["dl/Firebase"], "the lane has no destination: did you mean dl/Firebase?"),
        (
            ["TY/adobe"],
            "the lane has no destination: pass one in the configuration when you open the engine "
                + "(lanes with a destination: TY/adobe)"
        ),
        ([], "the lane has no destination: pass one in the configuration when you open the engine"),
    ]) func `a lane without a destination is compared with the others`(served: [String], sentence: String) {
        var surroundings = LaneSurroundings()
        surroundings.served = served
        let lane = LaneStatistics(
            id: LaneID(product: "DL", service: "firebase"),
            ledger: LaneLedger(),
            surroundings: surroundings
        )

        #expect(lane.explanation == sentence)
    }

    static let lane = LaneID(product: "T", service: "lines")

    private func lane(losing losses: [DropReason: Int]) -> LaneStatistics { ExplanationTests.lane(losing: losses) }

    static func lane(losing losses: [DropReason: Int]) -> LaneStatistics {
        var ledger = LaneLedger()
        for (reason, count) in losses {
            ledger.accepted += count
            ledger.drop(count, reason)
        }
        return LaneStatistics(id: lane, ledger: ledger, status: LaneStatus(hasDestination: true))
    }
}

@Suite struct PauseExplanationTests {
    /// The statuses for which a destination pauses with `protocolMismatch`, one for each sentence.
    private static let statuses: [(status: Int, cause: String)] = [
        (411, "gets no length of the body"), (415, "does not accept the format or the compression"),
        (418, "answers each batch with an unusual status"), (413, "refuses the size of each event"),
        (431, "refuses the size of the request's headers"),
        (422, "refuses each event (status 422)"),
        (501, "does not support the method or the HTTP version"), (508, "a fault of its own configuration"),
    ]

    @Test(arguments: statuses, [LaneFailure.Kind.paused, .refused])
    func `a pause is explained by the status`(row: (status: Int, cause: String), kind: LaneFailure.Kind) {
        let failure = PauseExplanationTests.failure(kind, row.status)

        let cause = PauseReason.protocolMismatch.explanation(after: failure).cause

        #expect(cause.contains(row.cause) && cause.hasSuffix("(status \(row.status))"))
    }

    @Test(arguments: [
        (LaneFailure.Kind.refused, "fails for each batch and names no event"), (.paused, "refuses each event"),
    ])
    func `a pause after a status of 500 is explained by the destination's knowledge`(
        kind: LaneFailure.Kind,
        cause: String
    ) {
        let explanation = PauseReason.protocolMismatch.explanation(after: PauseExplanationTests.failure(kind, 500))

        #expect(explanation.cause == "the receiver \(cause) (status 500)")
    }

    @Test func `a pause after events that the receiver has lost names the loss`() {
        let explanation = PauseReason.protocolMismatch.explanation(after: PauseExplanationTests.failure(.dropped, 200))

        #expect(explanation.name == "paused.protocolMismatch.dropped")
    }

    @Test(arguments: [(400, "does not know an id"), (422, "does not know an id"), (404, "there is no such endpoint")])
    func `a pause for an unknown id is not explained by the address`(status: Int, cause: String) {
        let explanation = PauseReason.endpoint.explanation(after: PauseExplanationTests.failure(.paused, status))

        #expect(explanation.cause.contains(cause) && explanation.cause.hasSuffix("(status \(status))"))
    }

    @Test(arguments: [
        (404, "endpoint", "retried.endpoint", "there is no such endpoint (status 404)"),
        (421, "endpoint", "retried.endpoint", "there is no such endpoint (status 421)"),
        (404, "credentials", "retried.credentials", "the receiver refuses the credentials (status 404)"),
        (503, "", "receiver_fails", "the receiver is busy or fails (status 503)"),
        (418, "status 418", "receiver_fails", "the receiver is busy or fails (status 418)"),
    ])
    func `an attempt before a pause has the pause's cause, and says that the engine tries again`(
        status: Int,
        code: String,
        name: String,
        cause: String
    ) {
        let failure = PauseExplanationTests.failure(.retry, status, code: code)

        let explanation = failure.explanation(nextAttempt: ", next in 1 s")

        #expect(explanation.name == name)
        #expect(explanation.description == "\(cause): the engine tries again, next in 1 s")
    }

    @Test(arguments: PauseReason.allCases) func `each pause has a cause and a cure`(reason: PauseReason) {
        let explanation = reason.explanation(after: nil)

        #expect(explanation.name.hasPrefix("paused.\(reason.rawValue)"))
        #expect(!explanation.cause.isEmpty && !explanation.cure.isEmpty)
    }

    @Test func `no two pauses have the same sentence`() {
        let sentences = PauseExplanationTests.all.map(\.description)

        #expect(Set(sentences).count == sentences.count)
    }

    /// The codes of failures without a response.
    private static let missingResponses = [
        "host not found", "connection refused", "connection lost", "TLS handshake failed", "certificate not trusted",
        "certificate for another host", "invalid response", "no response within 30 s", "connection failed: no route",
    ]

    static var all: [Explanation] {
        PauseReason.allCases.filter { $0 != .protocolMismatch }.map { $0.explanation(after: nil) }
            + [PauseReason.endpoint.explanation(after: failure(.paused, 422))]
            + statuses.map { PauseReason.protocolMismatch.explanation(after: failure(.paused, $0.status)) }
            + [(.refused, 500), (.dropped, 200)].map {
                PauseReason.protocolMismatch.explanation(after: failure($0, $1))
            }
            + missingResponses.map { failure(.retry, nil, code: $0).explanation(nextAttempt: "") }
            + [
                failure(.retry, 429), failure(.retry, 503), failure(.retry, 404, code: "endpoint"),
                failure(.refused, 400), failure(.tooLarge, 413), failure(.dropped, 200),
                failure(.clock, 200, code: "-259200"),
            ]
            .map { $0.explanation(nextAttempt: "") }
    }

    private static func failure(_ kind: LaneFailure.Kind, _ status: Int?, code: String = "") -> LaneFailure {
        LaneFailure(
            time: Timestamp(microseconds: 0),
            kind: kind,
            status: status,
            code: code,
            response: "",
            receiver: "collector.example:443"
        )
    }
}

@Suite struct OutboxErrorExplanationTests {
    private static let errors: [OutboxError] = [
        .full, .busy, .directoryInUse, .notLockable(code: 38), .corrupt, .newerVersion(9), .olderVersion(1),
        .beyondLimit, .unavailable(code: 2), .foreign(.kind), .foreign(.owner), .foreign(.permissions),
        .foreign(.links), .vanished, .notOpen, .suspended, .failed(code: 1034),
    ]

    @Test func `each error of the storage has its own cause and a cure`() {
        let explanations = OutboxErrorExplanationTests.all

        #expect(explanations.allSatisfy { !$0.cure.isEmpty })
        #expect(Set(explanations.map(\.cause)).count == explanations.count)
    }

    @Test func `a directory that cannot be used is named with the system's reason`() {
        var surroundings = LaneSurroundings()
        surroundings.directory = "/proc/x"

        #expect(
            OutboxError.unavailable(code: 2).explanation(surroundings).cause
                == "the directory /proc/x cannot be used (No such file or directory)"
        )
        #expect(
            OutboxError.unavailable(code: 2).description == "the directory cannot be used (No such file or directory)"
        )
    }

    static var all: [Explanation] {
        var surroundings = LaneSurroundings()
        surroundings.directory = "/var/events"
        var own = surroundings
        own.isUsedByThisProcess = true
        return errors.map { $0.explanation(surroundings) } + [OutboxError.directoryInUse.explanation(own)]
    }
}

@Suite struct SimilarNamesTests {
    /// The names, with a stated type: to infer it takes the compiler seconds.
    private static let cases: [(name: String, names: [String], expected: String?)] = [
        ("braise", ["adobe", "braze", "sumo"], "braze"), ("Braze", ["braze"], "braze"),
        ("sumo.log", ["sumo.logs"], "sumo.logs"),
        ("adboe", ["adobe"], "adobe"), ("AC/firebase", ["ACM/firebase", "TY/firebase"], "ACM/firebase"),
        ("mixpanel", ["adobe", "braze"], nil), ("DL/firebase", ["DL/firebase"], nil),
        ("DL/firebase", ["TY/adobe"], nil),
        ("", ["braze"], nil),
    ]

    @Test(arguments: cases)
    func `the most similar name is found`(name: String, names: [String], expected: String?) {
        let hint = SimilarNames.hint(about: name, among: names, named: "names", otherwise: "register")

        #expect(hint.hasPrefix(expected.map { "did you mean \($0)?" } ?? "register (names: "))
    }
}
