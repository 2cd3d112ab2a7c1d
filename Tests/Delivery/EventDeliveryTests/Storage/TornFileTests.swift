import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of files whose pages are of different times, as a power loss after a failed sync leaves them.
///
/// Each row is valid, and the rows contradict each other.
@Suite(.timeLimit(.minutes(5))) struct TornFileTests {
    private let queue: TemporaryQueue
    private let lines = LineDestination()
    private let other = LineDestination(lane: LaneID(product: "U", service: "other"), purpose: .marketing)
    private let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `events whose lane has no row are never sent on another lane`() async throws {
        try await leave(3, by: lines)
        try change("DELETE FROM lane")
        let transport = ScriptedTransport()

        let engine = try await open([other], transport)
        engine.lane(other.lane).track("viewed", parameters: ["n": 9])
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        #expect(transport.requests.flatMap(\.numbers) == [9])
        #expect(queue.files.contains { $0.hasPrefix("corrupt-") })
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a file that counts fewer events than it contains is delivered completely`() async throws {
        try await leave(3, by: lines)
        var change = OutboxChange()
        var lane = try #require(try queue.rows().lanes.first)
        lane.counts.events = [0, 1, 0]
        lane.counts.bytes = 0
        change.save(lane)
        try queue.commit(change)
        removeCheckpoint()
        let transport = ScriptedTransport()

        let engine = try await open([lines], transport)
        // The lane recounts its rows after the delivery; before that, the test clock may jump to the deadline.
        _ = await engine.flush(timeout: .seconds(30))
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.isDrained)
        #expect(transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(await engine.statistics().map(\.ledger.pending) == [0])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `quarantined events whose rows are missing are counted as lost`() async throws {
        let refusing = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 400)) }
        let first = try await open([lines], refusing)
        first.lane(lines.lane).track("viewed", parameters: ["n": 1])
        _ = await first.flush(timeout: .seconds(30))
        #expect(await first.quarantine.events().count == 1)
        await first.close(timeout: .zero)
        try change("DELETE FROM quarantine")

        let engine = try await open([lines], ScriptedTransport())

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.quarantined == 0)
        #expect(ledger.dropped == [.corrupted: 1])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a new lane in an earlier run's file is stored with its purpose, so a later denial covers its events`()
        async throws
    {
        try await leave(1, by: lines)
        let second = try await open([lines, other], unreachable)
        second.lane(other.lane).track("viewed", parameters: ["n": 2])
        await second.close(timeout: .zero)

        let third = try await open([lines], unreachable)
        try await third.setConsent(.denied, for: .marketing)

        let ledger = try #require(await third.statistics().first { $0.id == other.lane }).ledger
        #expect(ledger.dropped == [.consentDenied: 1])
        #expect(ledger.pending == 0)
        await third.close(timeout: .zero)
    }

    /// Leaves events of an earlier run.
    private func leave(_ count: Int, by destination: LineDestination) async throws {
        let engine = try await open([destination], unreachable)
        for number in 1...count { engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)]) }
        await engine.close(timeout: .zero)
    }

    /// Changes rows of the file, and deletes its checkpoint, which could show the change.
    private func change(_ statement: String) throws {
        try queue.execute(statement)
        removeCheckpoint()
    }

    private func removeCheckpoint() { try? FileManager.default.removeItem(atPath: queue.path + ".checkpoint") }

    private func open(
        _ destinations: [LineDestination],
        _ transport: ScriptedTransport
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = DeliveryConfiguration(
            directory: queue.url,
            destinations: destinations,
            transport: transport
        )
        configuration.sessionTimeout = nil
        try await engine.open(configuration)
        return engine
    }
}
