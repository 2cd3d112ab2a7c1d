import EventDelivery
import EventDeliveryTesting
import EventQuotas
import HTTPTransport
import Locks
import LoopbackCollector
import Testing

@testable import QuotasFetching

@Suite(.timeLimit(.minutes(5))) struct QuotasFetcherTests {
    private static let document = #"{"version": 1, "lanes": {"T/lines": {"events": {"viewed": {"off": true}}}}}"#
    private let clock = TestClock()
    private let lane = LineDestination().lane

    @Test func `an accepted document is in effect and stored, and its tag is sent with the next request`() async throws
    {
        let queue = try TemporaryQueue()
        let collector = try LoopbackCollector(
            script: CollectorScript { request in
                guard request.headers["if-none-match"] == nil else { return .status(304) }
                let tag = CollectorResponse.Header("ETag", "\"7\"")
                return .respond(CollectorResponse(200, headers: [tag], text: QuotasFetcherTests.document))
            }
        )
        defer { collector.close() }
        let engine = try await opened(queue)
        let fetcher = QuotasFetcher(collector.url.appending(path: "quotas.json"), on: engine)

        let (first, second) = (await fetcher.fetch(), await fetcher.fetch())
        engine.lane(lane).track("viewed")
        await engine.close(timeout: .seconds(5))
        let next = try await opened(queue)
        next.lane(lane).track("viewed")
        next.lane(lane).track("tapped")

        #expect("\(first)" == "the quotas document has 2 entries")
        #expect(second == .unchanged)
        #expect(collector.requests.map(\.head.method) == ["GET", "GET"])
        #expect(collector.requests.map { $0.headers["if-none-match"] } == [nil, "\"7\""])
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.switchedOff: 1]])
        let ledgers = await next.statistics().map(\.ledgerSinceOpening)
        #expect(ledgers.map { [$0.accepted, $0.dropped[.switchedOff] ?? 0] } == [[2, 1]])
        await next.close(timeout: .zero)
    }

    @Test(arguments: [
        (
            ScriptedTransport.Action.respond(HTTPResponse(status: 200, body: Array("<html>".utf8))),
            QuotasFetch.rejected(.malformed(at: ""))
        ),
        (
            .respond(HTTPResponse(status: 200, body: Array(#"{"version": 2}"#.utf8))), .rejected(.unknownVersion(2))
        ),
        (
            .respond(HTTPResponse(status: 200, body: Array(repeating: 32, count: 65_537))),
            .rejected(.tooLarge(bytes: 65_537))
        ),
        (
            .respond(HTTPResponse(status: 200, body: Array(#"{"version": 1"#.utf8), extent: .interrupted)),
            .unreachable(.connectionLost)
        ),
        (
            .respond(HTTPResponse(status: 302, headers: ["Location": "https://other.example/"])), .refused(status: 302)
        ),
        (.respond(HTTPResponse(status: 204)), .refused(status: 204)),
        (.respond(HTTPResponse(status: 500)), .refused(status: 500)),
        (.fail(.untrusted), .unreachable(.untrusted)),
    ])
    func `a fault changes nothing and is named`(action: ScriptedTransport.Action, expected: QuotasFetch) async throws {
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(configuration)
        try await engine.setQuotas(document: QuotasFetcherTests.document.utf8)
        let fetcher = try fetcher(of: engine, ScriptedTransport { _, _ in action })

        let result = await fetcher.fetch()
        engine.lane(lane).track("viewed")

        #expect(result == expected)
        #expect(result.isFailure)
        #expect(!"\(result)".contains("other.example"))
        #expect(await engine.statistics().map(\.ledger.dropped) == [[.switchedOff: 1]])
        await engine.close(timeout: .zero)
    }

    @Test func `before the opening, a document is in effect and not stored`() async throws {
        let engine = DeliveryEngine(clock: clock)
        let body = Array(QuotasFetcherTests.document.utf8)
        let fetcher = try fetcher(
            of: engine,
            ScriptedTransport { _, _ in .respond(HTTPResponse(status: 200, body: body)) }
        )

        let result = await fetcher.fetch()

        #expect(result == .notStored(.notOpen))
        #expect(!result.isFailure)
    }

    @Test func `a document that could not be stored is in effect, so an earlier one is fetched again`() async throws {
        let engine = DeliveryEngine(clock: clock)
        let (first, second) = (#"{"version": 1}"#, QuotasFetcherTests.document)
        let transport = ScriptedTransport { request, number in
            let (tag, text) = number == 2 ? ("two", second) : ("one", first)
            let isKnown = request.headers.contains { $0.name == "If-None-Match" && $0.value == tag }
            if isKnown { return .respond(HTTPResponse(status: 304)) }
            return .respond(HTTPResponse(status: 200, headers: ["ETag": tag], body: Array(text.utf8)))
        }
        let fetcher = try fetcher(of: engine, transport)

        let results = [await fetcher.fetch(), await fetcher.fetch(), await fetcher.fetch(), await fetcher.fetch()]
        engine.lane(lane).track("viewed")

        // The engine is not open.
        #expect(results == [.notStored(.notOpen), .notStored(.notOpen), .notStored(.notOpen), .unchanged])
        #expect(await engine.statistics().map(\.ledger.dropped) == [[:]])
    }

    @Test func `after failures the waits double up to the interval, and after a success the interval follows`()
        async throws
    {
        let body = Array(QuotasFetcherTests.document.utf8)
        let waits = try await waits(
            [
                .fail(.timedOut), .respond(HTTPResponse(status: 500)), .fail(.timedOut), .fail(.timedOut),
                .respond(HTTPResponse(status: 200, body: body)),
                .respond(HTTPResponse(status: 503, headers: ["Retry-After": "7200"])),
                // A server without `Date` means its date by the time of arrival.
                .respond(HTTPResponse(status: 503, headers: ["Retry-After": "Fri, 31 Dec 2999 23:59:59 GMT"])),
            ],
            every: .seconds(300)
        )

        for (wait, expected) in zip(waits, [60.0, 120, 240, 300, 300, 7_200, 86_400]) {
            #expect((expected...expected * 1.2).contains(wait / .seconds(1)), "\(wait), \(expected)")
        }
        #expect(waits.count == 7)
    }

    @Test func `intervals below ten seconds are ten seconds`() async throws {
        let waits = try await waits([.respond(HTTPResponse(status: 304))], every: .seconds(-1))

        #expect(waits.allSatisfy { (Duration.seconds(10)...Duration.seconds(12)).contains($0) })
    }

    @Test func `the end of its task ends a fetcher`() async throws {
        let collector = try LoopbackCollector(script: .always(.status(304)))
        defer { collector.close() }
        let endpoint = collector.url

        let fetcher = QuotasFetcher(endpoint)
        let fetching = Task { await fetcher.run() }
        _ = await collector.requests(count: 1)
        fetching.cancel()
        await fetching.value

        #expect(collector.requests.count == 1)
    }

    /// The waits of a fetcher after each of some responses.
    private func waits(_ actions: [ScriptedTransport.Action], every interval: Duration) async throws -> [Duration] {
        let engine = DeliveryEngine(clock: clock)
        let transport = ScriptedTransport { _, number in actions[min(number, actions.count) - 1] }
        let fetcher = try fetcher(of: engine, transport)
        let results = Mutex(0)
        let task = Task { await fetcher.run(every: interval) { _ in results.withLock { $0 += 1 } } }
        var waits: [Duration] = []
        for number in actions.indices {
            let wait = await clock.nextSleep { _ in results.withLock { $0 } == number + 1 }
            waits.append(wait)
            clock.advance(by: wait)
        }
        task.cancel()
        return waits
    }

    private func fetcher(of engine: DeliveryEngine, _ transport: ScriptedTransport) throws -> QuotasFetcher {
        QuotasFetcher(try Endpoint("https://config.example/quotas.json"), transport: transport, on: engine)
    }

    private var configuration: DeliveryConfiguration {
        DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
    }

    private func opened(_ queue: TemporaryQueue) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: clock)
        var configuration = configuration
        configuration.directory = queue.url
        try await engine.open(configuration)
        return engine
    }
}
