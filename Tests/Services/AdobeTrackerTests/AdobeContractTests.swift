import AdobeTracker
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeContractTests {
    @Test(arguments: DestinationContract.checks)
    func `Adobe's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let configuration = try AdobeConfiguration(datastreamID: "d-1:p")
        let adobe = AdobeDestination(product: "DL", configuration: configuration)
        let emptyText = try adobe.encoded(.stub(parameters: ["x": ""])).fragment.utf8.count
        let fault =
            #"{"type":"https://ns.adobe.com/aep/errors/EXEG-0306-400","title":"No identity","detail":"event #1"}"#
        let ignored = #"{"errors":[{"type":"https://ns.adobe.com/aep/errors/EXEG-0301-200"}]}"#
        let lost = BatchResult.EventResult.dropped("ignored for lack of consent")
        let subject = DestinationContract.Subject(
            adobe,
            bodies: [
                .init("minimal.json", of: [.stub(name: "commerce.productViews")], is: try Fixture.text("minimal.json"))
            ],
            limits: [
                .init("event_too_large", at: 63_800 - emptyText) {
                    .stub(parameters: ["x": .string(String(repeating: "v", count: $0))])
                },
                .init("user_id_too_long", at: 1_024) {
                    .stub(identity: .stub(userID: String(repeating: "u", count: $0)))
                },
            ],
            statuses: [
                200: .delivered, 202: .delivered, 204: .delivered, 207: .delivered, 302: .paused(.intercepted),
                400: .refused("status 400"), 401: .paused(.credentials), 403: .paused(.credentials),
                404: .paused(.endpoint), 409: .suspect("status 409"), 413: .tooLarge, 422: .refused("status 422"),
                429: .retry(after: nil), 500: .suspect("status 500"), 503: .retry(after: nil),
            ],
            responses: [
                .init(
                    HTTPResponse(status: 400, body: Array(fault.utf8)),
                    means: .partial([0: .retry, 1: .refused("No identity"), 2: .retry])
                ),
                .init(
                    HTTPResponse(status: 200, body: Array(ignored.utf8)),
                    means: .partial([0: lost, 1: lost, 2: lost])
                ),
            ],
            receiver: .adobe,
            tracker: { AdobeTracker(product: "DL", on: $0) }
        )

        try await check.run(subject)
    }
}

@Suite struct AdobeWireTests {
    @Test(.timeLimit(.minutes(5)))
    func `over a real connection, waits are respected, retries identical, and 207 is final`() async throws {
        let limit = CollectorResponse(429, headers: [.init("Retry-After", "17")])
        let accepted = CollectorResponse(207, text: #"{"requestId":"r","errors":[{"title":"upstream"}]}"#)
        let collector = try LoopbackCollector(script: .sequence([.respond(limit)], then: .respond(accepted)))
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let adobe = try AdobeConfiguration(datastreamID: "d-1", endpoint: collector.url)
        let destination = AdobeDestination(product: "DL", configuration: adobe)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: PlatformTransport())
        )

        engine.lane(destination.lane).track("commerce.productViews", parameters: [:])
        let wait = try #require(await diagnostics.nextRetry())
        clock.advance(by: wait)
        let requests = await collector.requests(count: 2)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(wait >= .seconds(17))
        #expect(requests.map(\.body).count == 2)
        #expect(requests[0].body == requests[1].body)
        #expect(requests[0].query == requests[1].query)
        #expect(requests[0].query["datastreamId"] == "d-1")
        try await LedgerCheck.check(engine)
        collector.close()
    }
}
