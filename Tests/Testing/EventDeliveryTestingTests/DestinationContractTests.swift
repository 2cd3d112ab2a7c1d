import CoreTracker
import EventDelivery
import EventDeliveryTesting
import MultiTracker
import Testing

@Suite struct DestinationContractTests {
    @Test func `a destination that satisfies every rule has no findings`() async throws {
        try await contract(FaultyDestination(nil)).check()
    }

    @Test(
        arguments: [
            (FaultyDestination.Fault.alternatingPurpose, DestinationContract.Requirement.pure),
            (.wrongGolden, .goldenBodies), (.limitIgnored, .limits), (.framingUnreserved, .framing),
            (.textUnescaped, .hostileText), (.textLost, .hostileText), (.ruleWithText, .hostileText),
            (.pageAcknowledged, .statuses), (.wrongStatus, .statuses), (.strangePosition, .partialSuccess),
            (.anotherRetry, .retry), (.idMissing, .retry), (.secretInDescription, .secrets),
            (.secretInEvent, .secrets),
        ]
    )
    func `a broken rule is reported by its name`(
        fault: FaultyDestination.Fault,
        requirement: DestinationContract.Requirement
    )
        async throws
    {
        let findings = try await contract(FaultyDestination(fault)).findings()

        #expect(findings.contains { $0.requirement == requirement }, "\(findings)")
    }

    @Test func `a changing purpose is detected by requests without consent`() async throws {
        var findings: [DestinationContract.Finding] = []
        for turn in 0..<8 { findings += try await contract(FaultyDestination(.consentByTurns, turn: turn)).findings() }

        #expect(findings.contains { $0.requirement == .consent }, "\(findings)")
    }

    @Test func `a tracker that tracks while it is disabled is detected`() async throws {
        let findings = try await contract(FaultyDestination(nil)) { engine in
            engine.lane(LaneID(product: "T", service: "faulty")).track("made", parameters: [:])
            return SilentVendor()
        }.findings()

        #expect(findings.map(\.description) == ["disabled: a disabled tracker has tracked 1 events"])
    }

    @Test func `a missing reference is a finding, and a violation lists all findings`() async throws {
        let contract = DestinationContract(FaultyDestination(.idMissing), bodies: [], statuses: [:])

        let violation = try await #require(throws: DestinationContract.Violation.self) { try await contract.check() }

        #expect(
            violation.description == """
                T/faulty: golden bodies: there is none
                T/faulty: statuses: the vendor's table is empty
                T/faulty: retry: an event's id is not on the wire
                """
        )
    }

    @Test func `the line destination keeps the contract`() async throws {
        let line =
            #"{"event_id":"01950000-0000-7000-8000-000000000001","name":"play_start","seq":1,"session":"s-1","#
            + #""user":"","time":1772359201250,"props":{}}"#
        let contract = DestinationContract(
            LineDestination(),
            bodies: [.init("a line", of: [.stub()], is: line)],
            statuses: [200: .delivered, 401: .paused(.credentials), 413: .tooLarge, 503: .retry(after: nil)]
        )

        try await contract.check()
    }

    private func contract(
        _ destination: FaultyDestination,
        tracker: (@Sendable (DeliveryEngine) -> any Trackable)? = nil
    ) -> DestinationContract {
        let golden = #"[{"id":"01950000-0000-7000-8000-000000000001","name":"play_start"}]"#
        return DestinationContract(
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
