import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct DiagnosticTests {
    @Test func `no diagnostic, report or statistic repeats a payload or a secret, not even a quoted one`() async throws
    {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let diagnostics = engine.diagnostics()
        let echo = Array("you sent canary-payload with canary-secret".utf8)
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: .respond(HTTPResponse(status: 503, headers: ["Server": "canary-secret"], body: echo))
            case 2: .fail(.connectionFailed(code: 104))
            case 3: .respond(HTTPResponse(status: 400, body: echo))
            default: .respond(HTTPResponse(status: 401, body: echo))
            }
        }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [SecretDestination()], transport: transport)
        )
        let lane = engine.lane(SecretDestination().lane)
        var seen: [String] = []
        var iterator = diagnostics.makeAsyncIterator()

        lane.track("canary-payload", parameters: ["canary-payload": "canary-payload"])
        lane.track("", parameters: ["canary-payload": "canary-payload"])
        while let diagnostic = await iterator.next() {
            seen.append("\(diagnostic)")
            if case .retrying(_, _, let wait) = diagnostic { clock.advance(by: wait) }
            if case .quarantined = diagnostic { break }
        }
        lane.track("canary-payload", parameters: [:])
        let report = await engine.flush(timeout: .seconds(5))
        seen.append("\(report)")
        await seen.append("\(engine.statistics())")
        await engine.close(timeout: .zero)
        while let diagnostic = await iterator.next() { seen.append("\(diagnostic)") }

        #expect(seen.count >= 7)
        #expect(!seen.joined().contains("canary"))
    }
}

/// Lines with a credential in a header, whose reasons quote the receiver.
private struct SecretDestination: DestinationWrapper {
    let base: any Destination = LineDestination()

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        var request = base.request(for: batch)
        if let header = try? HTTPHeader("Authorization", "Bearer canary-secret") { request.headers.append(header) }
        return request
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let text = String(decoding: response.body, as: UTF8.self)
        return response.status == 400 ? .refused(text) : ResponsePolicy.standard.result(for: response)
    }

    @Test(
        arguments: [
            ("ada@example.com", true), ("ada%40example.com", true), ("a@b@c.d", true), ("u-8841", false),
            ("@handle", false), ("ada@host", false), ("7f3a@.", false),
        ]
    )
    func `a user's id that looks like an e-mail address is reported once, even to a later listener`(
        id: String,
        isReported: Bool
    ) async throws {
        let engine = DeliveryEngine(clock: TestClock())

        engine.user.identify(id)
        let diagnostics = engine.diagnostics()
        engine.user.identify(id)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [], transport: ScriptedTransport())
        )
        await engine.close(timeout: .zero)

        var heard: [Diagnostic] = []
        for await diagnostic in diagnostics { heard.append(diagnostic) }
        #expect(heard.filter { $0 == .userIDLooksPersonal }.count == (isReported ? 1 : 0))
    }

    @Test func `a purpose that counts as granted without a decision is reported at the opening`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let diagnostics = engine.diagnostics()
        let purposes = [ConsentPurpose.analytics, .marketing, ConsentPurpose("other")]
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: purposes.map {
                LineDestination(lane: LaneID(product: "T", service: $0.name), purpose: $0)
            },
            transport: ScriptedTransport()
        )
        configuration.consent = [.marketing: .granted]

        try await engine.setConsent(.granted, for: .analytics)
        try await engine.open(configuration)
        await engine.close(timeout: .zero)

        var assumed: [Diagnostic] = []
        for await case .consentAssumed(let purpose) in diagnostics { assumed.append(.consentAssumed(purpose)) }
        #expect(assumed == [.consentAssumed(ConsentPurpose("other"))])
    }
}
