import CoreTracker
import CoreTrackerTesting
import EventDelivery
import Foundation
import Locks
import MultiTracker
import Testing

@testable import EventDeliveryTesting

@Suite(.timeLimit(.minutes(5))) struct DestinationContractTests {
    @Test(arguments: DestinationContract.checks)
    func `a destination that keeps every rule passes`(check: DestinationContract.Check) async throws {
        try await check.run(subject(FaultyDestination(nil)))
    }

    @Test(
        arguments: [
            (FaultyDestination.Fault.alternatingPurpose, DestinationContract.purity),
            (.wrongGolden, DestinationContract.goldenBodies), (.limitIgnored, DestinationContract.limits),
            (.framingUnreserved, DestinationContract.framing), (.textUnescaped, DestinationContract.hostileText),
            (.textLost, DestinationContract.hostileText), (.ruleWithText, DestinationContract.hostileText),
            (.pageAcknowledged, DestinationContract.statuses), (.wrongStatus, DestinationContract.statuses),
            (.strangePosition, DestinationContract.partialSuccess), (.anotherRetry, DestinationContract.retry),
            (.idMissing, DestinationContract.retry), (.secretInDescription, DestinationContract.secrets),
            (.secretInEvent, DestinationContract.secrets),
        ]
    )
    func `a broken rule fails its check`(fault: FaultyDestination.Fault, check: DestinationContract.Check) async {
        await #expect(throws: ContractViolation.self) { try await check.run(subject(FaultyDestination(fault))) }
    }

    @Test func `a changing purpose is detected by requests without consent`() async throws {
        var violations: [String] = []
        for turn in 0..<8 {
            let destination = FaultyDestination(.consentByTurns, turn: turn)
            violations += try await self.violations(of: DestinationContract.consent, by: subject(destination))
        }

        #expect(!violations.isEmpty)
    }

    @Test func `a tracker that tracks while it is disabled is detected`() async throws {
        let subject = subject(FaultyDestination(nil)) { engine in
            engine.lane(LaneID(product: "T", service: "faulty")).track("made", parameters: [:])
            return SilentVendor()
        }

        let violations = try await violations(of: DestinationContract.disabled, by: subject)

        #expect(violations == ["T/faulty: a disabled tracker has tracked 1 events"])
    }

    @Test func `a tracker that drops default parameters is detected`() async throws {
        let subject = subject(FaultyDestination(nil)) { engine in
            ForgetfulVendor(lane: engine.lane(LaneID(product: "T", service: "faulty")))
        }

        let violations = try await violations(of: DestinationContract.defaults, by: subject)

        #expect(violations == ["T/faulty: the tracker drops the default parameters of an event"])
    }

    @Test func `missing facts are violations`() async throws {
        let subject = DestinationContract.Subject(FaultyDestination(.idMissing), bodies: [], statuses: [:])
        var violations: [String] = []

        for check in DestinationContract.checks { violations += try await self.violations(of: check, by: subject) }

        #expect(
            violations == [
                "T/faulty: there is no golden body", "T/faulty: the vendor's table is empty",
                "T/faulty: an event's id is not on the wire",
            ]
        )
    }

    @Test func `a destination that refuses the sample fails every check`() async throws {
        let unnamed = OutgoingEvent.stub(name: "")
        let subject = DestinationContract.Subject(FaultyDestination(nil), sample: unnamed, bodies: [], statuses: [:])

        for check in DestinationContract.checks {
            let violations = try await violations(of: check, by: subject)
            #expect(violations == ["T/faulty: the sample is refused by the rule name_empty"])
        }
    }

    @Test(arguments: DestinationContract.checks)
    func `the line destination keeps the contract`(check: DestinationContract.Check) async throws {
        let line =
            #"{"event_id":"01950000-0000-7000-8000-000000000001","name":"play_start","seq":1,"session":"s-1","#
            + #""user":"","time":1772359201250,"props":{}}"#
        let subject = DestinationContract.Subject(
            LineDestination(),
            bodies: [.init("a line", of: [.stub()], is: line)],
            statuses: [200: .delivered, 401: .paused(.credentials), 413: .tooLarge, 503: .retry(after: nil)]
        )

        try await check.run(subject)
    }

    /// Returns the violations that a check finds.
    private func violations(
        of check: DestinationContract.Check,
        by subject: DestinationContract.Subject
    ) async throws -> [String] {
        do {
            try await check.run(subject)
            return []
        } catch let violation as ContractViolation {
            return violation.description.split(separator: "\n").map(String.init)
        }
    }

    private func subject(
        _ destination: FaultyDestination,
        tracker: (@Sendable (DeliveryEngine) -> any Trackable)? = nil
    ) -> DestinationContract.Subject {
        let golden = #"[{"id":"01950000-0000-7000-8000-000000000001","name":"play_start"}]"#
        return DestinationContract.Subject(
            destination,
            bodies: [.init("golden", of: [.stub()], is: golden)],
            limits: [.init("name_too_long", at: 20) { .stub(name: String(repeating: "n", count: $0)) }],
            statuses: [200: .delivered, 401: .paused(.credentials), 503: .retry(after: nil)],
            secrets: [FaultyDestination.secret],
            tracker: tracker
        )
    }
}

/// A tracker without capabilities.
private struct SilentVendor: Trackable {
    var type: TrackerType { "faulty" }
}

/// A tracker that tracks events without their default parameters.
private struct ForgetfulVendor: Trackable, VendorEventTrackable {
    let lane: DeliveryLane
    var type: TrackerType { "faulty" }

    func track(_ event: VendorEvent) { lane.track(event.name, parameters: event.parameters) }
}

/// A destination that breaks exactly one rule of the contract.
final class FaultyDestination: Destination {
    /// A rule of the contract, and how this destination breaks it.
    enum Fault: String, Sendable, CaseIterable {
        case alternatingPurpose, wrongGolden, limitIgnored, framingUnreserved, textUnescaped, textLost, ruleWithText
        case pageAcknowledged, wrongStatus, strangePosition, anotherRetry, idMissing, secretInDescription
        case secretInEvent, consentByTurns
    }

    static let secret = "hush-hush"
    /// The purposes of ``Fault/consentByTurns``, one bit for each call.
    ///
    /// They have no period, because a periodic sequence could always return the same purpose to the engine.
    private static let pattern: UInt64 = 0x9E37_79B9_7F4A_7C15

    let lane = LaneID(product: "T", service: "faulty")
    private let fault: Fault?
    private let turns: Atomic<Int>

    /// Creates a destination with a fault, or without one for `nil`.
    ///
    /// `turn` is the first bit to use in the pattern of purposes.
    init(_ fault: Fault?, turn: Int = 0) {
        self.fault = fault
        turns = Atomic(turn)
    }

    var purpose: ConsentPurpose {
        guard fault == .alternatingPurpose || fault == .consentByTurns else { return .analytics }
        let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
        let bit = fault == .alternatingPurpose ? turn % 2 : Int(FaultyDestination.pattern >> (turn % 64) & 1)
        return bit == 0 ? .analytics : .marketing
    }

    var limits: BatchLimits {
        BatchLimits(events: 10, bodyBytes: 100_000, framingBytes: fault == .framingUnreserved ? 5 : 11)
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
        if event.name.utf16.count > 20, fault != .limitIgnored {
            throw EventEncodingError(rule: fault == .ruleWithText ? "too long: \(event.name)" : "name_too_long")
        }
        encoder.json.beginObject()
        if fault != .idMissing {
            encoder.json.key("id")
            encoder.json.id(event.id)
        }
        encoder.json.member("name", .string(event.name))
        if fault == .secretInEvent { encoder.json.member("key", .string(Self.secret)) }
        for parameter in event.mergedParameters {
            let (key, value) = (parameter.key, parameter.value)
            if case .string(let text) = value, fault == .textUnescaped {
                encoder.json.raw(Array("\"\(key.name)\":\"\(text)\"".utf8)[...])
            } else if case .string(let text) = value, fault == .textLost {
                encoder.json.member(
                    key.name,
                    .string(String(text.unicodeScalars.filter { $0.isASCII }.map(Character.init)))
                )
            } else {
                encoder.json.member(key.name, value)
            }
        }
        encoder.json.endObject()
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        let opening = fault == .wrongGolden ? "[ " : "["
        var body = Array(opening.utf8) + batch.events.map(\.fragment).joined(separator: ",".utf8) + Array("]".utf8)
        if fault == .anotherRetry { body += Array(repeating: UInt8(ascii: " "), count: batch.attempt - 1) }
        let address = "https://collector.example/\(Self.secret)"
        return HTTPRequest(url: URL(string: address) ?? URL(filePath: "/"), body: body)
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        if fault == .pageAcknowledged, response.status == 200 { return .delivered }
        if fault == .wrongStatus, response.status == 401 { return .delivered }
        if fault == .strangePosition, response.status == 207 { return .partial([batch.events.count: .retry]) }
        return ResponsePolicy.standard.result(for: response)
    }
}

extension FaultyDestination: CustomStringConvertible, CustomReflectable {
    var description: String { fault == .secretInDescription ? "to \(Self.secret)" : "to a collector" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
