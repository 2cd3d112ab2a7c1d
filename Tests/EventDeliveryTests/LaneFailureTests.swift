import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery

@Suite struct LaneFailureTests {
    typealias Row = (answer: ScriptedTransport.Answer, sentence: String)

    static let rows: [Row] = [
        (.respond(HTTPResponse(status: 401, body: Array("wrong password".utf8))), "refuses the credentials"),
        (.respond(HTTPResponse(status: 404, body: Array("no such table".utf8))), "no such endpoint or table"),
        (.fail(.connectionFailed(code: 7)), "cannot be reached or is busy"),
        (.fail(.untrusted), "certificate is not trusted"),
        (.respond(HTTPResponse(status: 302)), "captive portal"),
        (.asking(for: 5_000), "next in 5"),
        (.respond(HTTPResponse(status: 415)), "refuses every event alike"),
    ]

    @Test(arguments: rows)
    func `the cause of a wait is kept, also after a restart, and said in one sentence`(row: Row) async throws {
        let directory = LaneHarness.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let first = LaneHarness(directory: directory) { _, _ in row.answer }
        first.track(1...1)
        try await first.open()
        _ = await first.clock.sleeper { $0 > .milliseconds(10) }

        let now = try #require(await first.engine.statistics().first)
        await first.engine.close(deadline: .zero)
        let second = LaneHarness(directory: directory) { _, _ in .hang }
        try await second.open()
        let later = try #require(await second.engine.statistics().first)

        #expect(now.explanation?.contains(row.sentence) == true, "\(now.explanation ?? "")")
        #expect(later.lastFailure == now.lastFailure)
        #expect(later.lastFailure != nil)
    }

    @Test func `a lane that waits for the user or for a destination says so`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let stranger = LaneID(product: "T", service: "stranger")
        engine.lane(stranger).track("viewed", parameters: [:])
        engine.lane(LineDestination().lane).track("viewed", parameters: [:])
        try await engine.open(
            DeliveryConfiguration(
                directory: nil,
                destinations: [LineDestination()],
                transport: ScriptedTransport(),
                defaultConsent: .unknown
            )
        )

        let lanes = Dictionary(uniqueKeysWithValues: await engine.statistics().map { ($0.id, $0) })

        #expect(lanes[stranger]?.explanation?.contains("no destination") == true)
        #expect(lanes[LineDestination().lane]?.explanation?.contains("1 events are held") == true)
    }

    @Test func `an acknowledgement ends the cause`() async throws {
        let harness = LaneHarness { _, number in number == 1 ? .status(503) : .status(200) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...1)
        harness.clock.advance(by: try #require(await diagnostics.nextRetry()))

        #expect(await harness.engine.flush(deadline: .seconds(5)).isDrained)

        let lane = try #require(await harness.engine.statistics().first)
        #expect(lane.lastFailure == nil && lane.explanation == nil)
    }
}
