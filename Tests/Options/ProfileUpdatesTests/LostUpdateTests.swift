import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import ProfileUpdates
import Testing

/// Tests of updates that a receiver, the budget, the app or a middleware has ended without a delivery.
@Suite(.timeLimit(.minutes(1))) struct LostUpdateTests {
    private let engine = DeliveryEngine(clock: TestClock())
    private let lines = LineDestination(updates: Set(ProfileUpdate.allCases))

    private func open(
        _ transport: ScriptedTransport,
        budget: DeliveryBudget = DeliveryBudget(),
        middleware: [any EventMiddleware] = []
    ) async throws {
        var configuration = DeliveryConfiguration(directory: nil, destinations: [lines], transport: transport)
        configuration.budget = budget
        configuration.middleware = middleware
        try await engine.open(configuration)
    }

    /// Identifies the user a number of times, and returns the number of sent updates.
    private func identify(times: Int = 3) async -> Int {
        let before = await ledger()?.accepted ?? 0
        // No response comes between the calls.
        engine.hold(reason: .lowPower)
        for _ in 1...times { engine.user.identify("u-1", traits: ["plan": "gold"]) }
        engine.release(reason: .lowPower)
        _ = await engine.flush(timeout: .seconds(5))
        return (await ledger()?.accepted ?? 0) - before
    }

    private func ledger() async -> LaneLedger? { await engine.statistics().first?.ledger }

    @Test func `a delivered update is not sent again, and then no outcome is published`() async throws {
        try await open(ScriptedTransport())

        #expect(await identify() == 1)
        #expect(await identify() == 0)
        #expect(!engine.buffer.outcomes.hasListeners)
    }

    @Test func `an update that waits for its delivery is not sent again`() async throws {
        try await open(ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) })

        engine.user.identify("u-1", traits: ["plan": "gold"])
        await engine.storeBuffered()
        for _ in 1...3 { engine.user.identify("u-1", traits: ["plan": "gold"]) }

        #expect(await ledger()?.accepted == 1)
    }

    @Test(arguments: [false, true]) func `a refused update is sent by the next equal call`(
        isDiscarded: Bool
    ) async throws {
        try await open(ScriptedTransport { _, number in .respond(HTTPResponse(status: number == 1 ? 400 : 200)) })
        let first = await identify()
        if isDiscarded { await engine.quarantine.discard(Set(await engine.quarantine.events().map(\.id))) }

        #expect(first == 1)
        #expect(await identify() == 1)
        #expect(await identify() == 0)
        #expect(await ledger()?.delivered == 1)
    }

    @Test func `an update that a middleware has dropped is sent by the next equal call`() async throws {
        let gate = Gate()
        try await open(ScriptedTransport(), middleware: [gate])
        // The gate may drop an update before a second call, so that the second one is not an equal one.
        let first = await identify(times: 1)
        gate.isOpen.store(true, ordering: .relaxed)

        #expect(first == 1)
        #expect(await identify() == 1)
        #expect(await identify() == 0)
    }

    @Test func `an update that the budget has evicted is sent by the next equal call`() async throws {
        try await open(
            ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) },
            budget: DeliveryBudget(events: 10, bytes: 1_000_000, age: .seconds(3_600))
        )
        engine.hold(reason: .maintenance)
        engine.user.identify("u-1", traits: ["plan": "gold"])
        for _ in 1...5 {
            for _ in 1...100 { engine.lane(lines.lane).track("viewed") }
            await engine.storeBuffered()
        }
        let before = await ledger()?.accepted ?? 0

        for _ in 1...3 { engine.user.identify("u-1", traits: ["plan": "gold"]) }

        #expect(await ledger()?.accepted == before + 1)
    }
}

/// A middleware that drops every event until it is opened.
private final class Gate: EventMiddleware {
    let name = "gate"
    let isOpen = Atomic(false)

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        isOpen.load(ordering: .relaxed) ? .keep : .drop
    }
}
