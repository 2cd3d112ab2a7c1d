import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import SumoTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct SumoDestinationTests {
    private let destination: SumoDestination

    init() throws {
        let endpoint = try Endpoint("https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        destination = SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint))
    }

    @Test func `a minimal event has the golden body`() throws {
        let request = try destination.request(carrying: [.stub()])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("minimal.ndjson")))
        #expect(request.url.absoluteString == "https://collectors.sumologic.com/receiver/v1/http/ZaVnC4dh==")
        #expect(request.method == "POST")
        #expect(request.headers == [try HTTPHeader("Content-Type", "application/x-ndjson")])
        #expect(request.allowsGzip)
    }

    @Test func `a batch has the golden body, with one line for each event`() throws {
        let request = try destination.request(carrying: [
            .stub(
                parameters: ["track_id": "tr-55", "position_ms": 0],
                defaults: ["channel": "app"],
                identity: .stub(userID: "u-8841")
            ),
            .stub(
                id: .stub(2),
                name: "two\nlines",
                parameters: ["note": "a \"b\" \\ c\u{7}"],
                time: Timestamp(microseconds: 1_772_359_204_500_999)
            ),
        ])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("full.ndjson")))
    }

    @Test func `an event without a name is refused`() {
        #expect(throws: EventEncodingError(rule: "name_empty")) { try destination.encoded(.stub(name: "")) }
    }

    @Test func `a line stays below 64 KB and a request within 1 MB`() {
        #expect(destination.limits.eventBytes == 65_535)
        #expect(destination.limits.bodyBytes == 1_000_000)
        #expect(destination.limits.framingBytes >= destination.limits.events - 1)
    }

    @Test(arguments: [false, true], [-1, 0, 1])
    func `a line at its limit is delivered, and a longer one is lost and counted`(
        isLarge: Bool,
        surplus: Int
    ) async throws {
        let (limits, maximum) =
            isLarge ? (SumoDestination.largeLineLimits, 262_143) : (SumoDestination.limits, 65_535)
        let source = SumoConfiguration(endpoint: try Endpoint("https://collectors.sumologic.com/receiver/v1/http/Za=="))
        let destination = SumoDestination(product: "DL", configuration: source, limits: limits)
        // A text has at most 64 KiB, so the line has five.
        let keys = (0..<5).map { ParameterKey("x\($0)") }
        let empty = EventParameters(keys.map { ($0, .string("")) })
        let line = try destination.encoded(.stub(parameters: empty, identity: Self.engineIdentity)).fragment
        var rest = maximum - line.utf8.count + surplus
        let texts = keys.map { _ in
            let count = min(rest, 60_000)
            rest -= count
            return String(repeating: "x", count: count)
        }
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )

        let parameters = EventParameters(zip(keys, texts).map { ($0, .string($1)) })
        engine.lane(destination.lane).track("play_start", parameters: parameters)
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == (surplus > 0 ? 0 : 1))
        #expect(ledger.dropped == (surplus > 0 ? [.tooLarge: 1] : [:]))
        #expect(transport.requests.map(\.body.count) == (surplus > 0 ? [] : [maximum + surplus]))
    }

    @Test func `a request with larger lines has at most 1 MB too`() {
        #expect(SumoDestination.largeLineLimits.bodyBytes == 1_000_000)
    }

    @Test(
        arguments: [
            (200, BatchResult.delivered), (301, .paused(.intercepted)), (400, .refused("status 400")),
            (401, .paused(.credentials)), (403, .paused(.credentials)), (404, .paused(.credentials)),
            (408, .tooLarge), (413, .tooLarge), (429, .retry(after: nil)), (503, .retry(after: nil)),
            (504, .retry(after: nil)),
        ]
    )
    func `each status has its meaning`(status: Int, result: BatchResult) throws {
        let batch = try destination.batch(of: [.stub(), .stub(id: .stub(2))])

        #expect(destination.result(for: HTTPResponse(status: status), of: batch) == result)
    }

    @Test(arguments: [("", BatchResult.delivered), (" \n", .delivered), ("<p>Sign in", .paused(.intercepted))])
    func `only an HTML body that is not blank is a page`(body: String, result: BatchResult) throws {
        let batch = try destination.batch(of: [.stub()])
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))

        #expect(destination.result(for: response, of: batch) == result)
    }

    @Test func `one event that took too long is tried again`() throws {
        let batch = try destination.batch(of: [.stub()])

        #expect(destination.result(for: HTTPResponse(status: 408), of: batch) == .retry(after: nil))
    }

    @Test func `a wait that the response asks for is respected`() throws {
        let batch = try destination.batch(of: [.stub()])
        let response = HTTPResponse(status: 429, headers: ["Retry-After": "7"])

        #expect(destination.result(for: response, of: batch) == .retry(after: .seconds(7)))
    }

    /// An identity with ids of an engine's length: a UUID for the session, and 32 digits for the device.
    private static let engineIdentity = Identity.stub(sessionID: EventID.stub().description)
}
