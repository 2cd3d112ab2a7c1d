import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes

/// Tests of sessions over restarts of the process, with real files and a virtual clock.
@Suite(.timeLimit(.minutes(5))) struct SessionRestartTests {
    private let clock = TestClock()
    private let queue: TemporaryQueue
    private let destination = RecordingDestination(lane: .firebase(product: "DL"))

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test(arguments: [(60, true), (1_800, true), (1_801, false)])
    func `a restart within the timeout continues the session`(pause: Int, continues: Bool) async throws {
        let first = try await open()
        first.lane(destination.lane).track("a", parameters: [:])
        await first.close(timeout: .zero)
        clock.advance(by: .seconds(pause))
        let second = DeliveryEngine(clock: clock)
        second.lane(destination.lane).track("before the opening", parameters: [:])

        try await open(second)
        second.lane(destination.lane).track("after it", parameters: [:])
        await second.close(timeout: .zero)

        let sessions = destination.events.map(\.identity.sessionID)
        #expect(sessions.count == 3)
        #expect((sessions.first == sessions.last) == continues)
        #expect(sessions[1] == sessions[2])
        #expect(Set(destination.events.map(\.identity.sessionNumber)).count == (continues ? 1 : 2))
    }

    @Test func `a session survives a kill, with its last activity to a thirtieth of the timeout`() async throws {
        let first = try await open()
        first.lane(destination.lane).track("a", parameters: [:])
        await first.storeBuffered()
        clock.advance(by: .seconds(90))
        first.lane(destination.lane).track("b", parameters: [:])
        await first.storeBuffered()
        let copy = try TemporaryQueue(copying: queue.url)
        await first.close(timeout: .zero)

        clock.advance(by: .seconds(1_790))
        let second = try await open(in: copy)
        second.lane(destination.lane).track("c", parameters: [:])
        await second.close(timeout: .zero)

        #expect(Set(destination.events.map(\.identity.sessionID)).count == 1)
    }

    @Test func `a reset, an erasure of everything and a denial leave no session on disk`() async throws {
        let first = try await open()
        first.lane(destination.lane).track("a", parameters: [:])
        await first.storeBuffered()
        let session = first.identity.sessionID
        #expect(try queue.contents().contains(session))

        await first.reset()
        try await first.eraseEverything()
        #expect(try !queue.contents().contains(session))
        try await first.setConsent(.denied, for: destination.purpose)
        #expect(try !queue.contents().contains(first.identity.sessionID))
        await first.close(timeout: .zero)
    }

    @Test func `without a timeout, a restart starts another session`() async throws {
        var sessions: [String] = []
        for _ in 1...2 {
            let engine = try await open(timeout: nil)
            engine.lane(destination.lane).track("a", parameters: [:])
            sessions.append(engine.identity.sessionID)
            await engine.close(timeout: .zero)
        }

        #expect(Set(sessions).count == 2)
    }

    @discardableResult
    private func open(
        _ engine: DeliveryEngine? = nil,
        in queue: TemporaryQueue? = nil,
        timeout: Duration? = .seconds(1_800)
    ) async throws -> DeliveryEngine {
        let engine = engine ?? DeliveryEngine(clock: clock)
        var configuration = DeliveryConfiguration(
            directory: (queue ?? self.queue).url,
            destinations: [destination],
            transport: ScriptedTransport()
        )
        configuration.sessionTimeout = timeout
        try await engine.open(configuration)
        return engine
    }
}
