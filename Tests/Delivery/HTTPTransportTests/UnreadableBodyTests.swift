#if !canImport(Darwin)
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

/// Tests the result of each unreadable body, with the whole engine and real sockets.
@Suite(.timeLimit(.minutes(2))) struct UnreadableBodyTests {
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// A response and its result: the requests until the event is settled, and the acknowledgements without details.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let action: CollectorAction
        let requests: Int
        let withoutDetails: Int
    }

    static let rows = [
        Row("a body of 98,734 bytes", .body(98_734), requests: 1, withoutDetails: 0),
        Row("a body of 4 MiB", .body(4 * 1024 * 1024), requests: 1, withoutDetails: 0),
        Row("a body of 5 MB", .body(5_000_000), requests: 1, withoutDetails: 1),
        Row("an endless body", .endlessBody(CollectorResponse(200)), requests: 1, withoutDetails: 1),
        Row("a gzip bomb", .respond(.gzipBomb(unpackedBytes: 30_000_000)), requests: 1, withoutDetails: 1),
        Row("no JSON", .respond(CollectorResponse(200, text: "thanks!")), requests: 1, withoutDetails: 0),
        Row(
            "a truncated body",
            .truncate(CollectorResponse(200, text: #"{"ok":true}"#), bodyBytes: 4),
            requests: 3,
            withoutDetails: 1
        ),
        Row("a body that is reset", .resetAfterHead(CollectorResponse(200)), requests: 3, withoutDetails: 1),
        Row("a chunk that is cut", .bytes(Array((chunked + "9\r\nab").utf8)), requests: 3, withoutDetails: 1),
        Row("a body that stops", .raw(Array(chunked.utf8), then: .neverRespond), requests: 3, withoutDetails: 1),
    ]

    @Test(arguments: rows) func `an acknowledgement settles its events, whatever its body is`(row: Row) async throws {
        let collector = try LoopbackCollector(script: .always(row.action))
        let scene = try await Scene(collector)
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()

        scene.track(1)
        for _ in 1..<row.requests { scene.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        await collector.tally { $0.requests >= row.requests }
        let report = await scene.engine.flush(timeout: .seconds(20))
        let lane = try #require(await scene.engine.statistics().first)

        #expect(report.isDrained && lane.ledger.delivered == 1)
        #expect(lane.requests.count == row.requests && lane.requests.failed == row.requests - 1)
        #expect(lane.requests.withoutDetails == row.withoutDetails)
        #expect(collector.tally.requests == row.requests)
        await scene.engine.close(timeout: .zero)
    }

    @Test func `if no acknowledgement is complete, each later batch is sent once`() async throws {
        let script = CollectorScript.always(.truncate(CollectorResponse(200, text: "truncated"), bodyBytes: 1))
        let collector = try LoopbackCollector(script: script)
        let scene = try await Scene(collector)
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()
        scene.track(1)
        for _ in 1...2 { scene.clock.advance(by: try #require(await diagnostics.nextRetry())) }
        _ = await scene.engine.flush(timeout: .seconds(20))

        for number in 2...4 {
            scene.track(number)
            _ = await scene.engine.flush(timeout: .seconds(20))
        }

        #expect(collector.tally.requests == 6)
        #expect(await scene.engine.statistics().first?.ledger.delivered == 4)
        await scene.engine.close(timeout: .zero)
    }

    @Test(arguments: [429, 503]) func `a long or truncated body of an error does not hide its status`(
        status: Int
    ) async throws {
        for action in [
            CollectorAction.endlessBody(CollectorResponse(status)),
            .truncate(CollectorResponse(status, text: "an error"), bodyBytes: 2),
        ] {
            let scene = try await Scene(try LoopbackCollector(script: .always(action)))
            let diagnostics = scene.engine.diagnostics()

            scene.track(1)
            for await diagnostic in diagnostics { if case .retrying = diagnostic { break } }
            let lane = try #require(await scene.engine.statistics().first)

            #expect(lane.lastFailure?.status == status)
            #expect(lane.ledger.pending == 1)
            await scene.engine.close(timeout: .zero)
        }
    }
}

/// An open engine with one lane that sends to a collector.
private struct Scene {
    let engine: DeliveryEngine
    let clock = TestClock()
    private let destination: LineDestination
    /// It listens as long as it exists.
    private let collector: LoopbackCollector

    init(_ collector: LoopbackCollector) async throws {
        engine = DeliveryEngine(clock: clock)
        self.collector = collector
        destination = LineDestination(endpoint: collector.url.url)
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination],
            transport: ImpatientTransport()
        )
        configuration.sessionTimeout = nil
        try await engine.open(configuration)
    }

    func track(_ number: Int) { engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)]) }
}

/// A transport with a timeout that ends stopped bodies soon.
private struct ImpatientTransport: Transport {
    private let base = CurlTransport()

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        try await base.send(request, timeout: min(timeout, .seconds(3)))
    }
}

extension UnreadableBodyTests.Row {
    fileprivate init(_ name: String, _ action: CollectorAction, requests: Int, withoutDetails: Int) {
        self.init(testDescription: name, action: action, requests: requests, withoutDetails: withoutDetails)
    }
}

extension CollectorAction {
    fileprivate static func body(_ count: Int) -> CollectorAction {
        .respond(CollectorResponse(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: count)))
    }
}
#endif
