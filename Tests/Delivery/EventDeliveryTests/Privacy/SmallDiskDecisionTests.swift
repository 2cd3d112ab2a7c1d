#if os(Linux)
import CoreTracker
import EventTracking
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Testing

@testable import EventDeliveryScenes

/// Tests of decisions on a real full disk, on which events are tracked before and after the decision.
@Suite(.timeLimit(.minutes(5)), .enabled(if: SmallDisk.isPossible)) struct SmallDiskDecisionTests {
    private static let lane = LineDestination().lane

    @Test(arguments: [true, false], [0, 1_500, 3_000, 12_000])
    func `a decision on a full disk on which events were tracked is stored, and the next start sends nothing`(
        isDenial: Bool,
        events: Int
    ) async throws {
        let disk = try SmallDisk(megabytes: 24)
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(SmallDiskDecisionTests.configuration(disk.queue))
        engine.user.identify("CANARY-user")
        await SmallDiskDecisionTests.track(20_000, by: engine)
        try disk.fill()
        await SmallDiskDecisionTests.track(events, by: engine)

        var failure: DecisionError?
        do throws(DecisionError) {
            if isDenial {
                try await engine.setConsent(.denied, for: .analytics)
            } else {
                try await engine.erase(user: "CANARY-user")
            }
        } catch {
            failure = error
        }
        let killed = try disk.copy()
        let transport = ScriptedTransport()
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(SmallDiskDecisionTests.configuration(killed.url, transport))
        _ = await next.flush(timeout: .seconds(30))

        // The counts of erased events include the events in memory, so the erasure's events stay until there is space.
        let isClean = isDenial || events == 0
        #expect(failure == (isClean ? nil : .notYetClean(.full)))
        #expect(transport.requests.isEmpty)
        #expect(try TemporaryQueue.contents(of: disk.queue).contains("CANARY") != isClean)
        try await LedgerCheck.check(engine)
        await next.waitUntilGone("CANARY", from: killed)
        await next.close(timeout: .zero)
        try disk.free()
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [true, false])
    func `a decision that is stored without the events in memory covers delivered events, and a kill changes no count`(
        isDenial: Bool
    ) async throws {
        let (kept, disk) = (LaneID(product: "T", service: "kept"), try SmallDisk(megabytes: 24))
        let other = LineDestination(lane: kept, purpose: .marketing, endpoint: URL(filePath: "/kept"))
        let destinations = [LineDestination(), other]
        let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(SmallDiskDecisionTests.configuration(disk.queue, transport, to: destinations))
        for user in ["CANARY-user", "OTHER-user"] {
            engine.user.identify(user)
            await SmallDiskDecisionTests.track(500, by: engine)
        }
        try disk.fill()
        // The disk has no space for these events, so it refuses the removal of delivered ones as well.
        await SmallDiskDecisionTests.track(4_000, by: engine, on: kept)
        transport.setScript { request, _ in
            request.url.path == "/kept"
                ? .fail(.connectionFailed(code: 111)) : .respond(HTTPResponse(status: 200))
        }
        while await SmallDiskDecisionTests.ledger(SmallDiskDecisionTests.lane, of: engine).pending > 0 {
            _ = await engine.flush(timeout: .seconds(1))
        }

        if isDenial {
            try await engine.setConsent(.denied, for: .analytics)
        } else {
            await #expect(throws: DecisionError.notYetClean(.full)) { try await engine.erase(user: "CANARY-user") }
        }
        let killed = try disk.copy()
        let (receiver, next) = (ScriptedTransport(), DeliveryEngine(clock: TestClock()))
        try await next.open(SmallDiskDecisionTests.configuration(killed.url, receiver, to: destinations))
        if isDenial { try await next.setConsent(.granted, for: .analytics) }
        let report = await next.flush(timeout: .seconds(30))
        let ledger = await SmallDiskDecisionTests.ledger(SmallDiskDecisionTests.lane, of: next)

        #expect(report.isDrained)
        #expect(try TemporaryQueue.files(in: disk.queue, containing: "CANARY-user").isEmpty == isDenial)
        #expect(!receiver.sentText.contains("CANARY-user"))
        #expect(ledger.accepted == 1_000)
        #expect(ledger.delivered + ledger.droppedTotal == 1_000)
        #expect(await SmallDiskDecisionTests.ledger(kept, of: next).dropped[.corrupted] == nil)
        try await LedgerCheck.check(engine)
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
        try disk.free()
        await engine.close(timeout: .zero)
    }

    @Test func `events use no space of the disk reserve, and are stored when there is space`() async throws {
        let disk = try SmallDisk(megabytes: 24)
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(SmallDiskDecisionTests.configuration(disk.queue))
        await SmallDiskDecisionTests.track(1_000, by: engine)
        try disk.fill()

        await SmallDiskDecisionTests.track(20_000, by: engine)
        let isReserved = FileManager.default.fileExists(atPath: disk.queue.appending(path: "queue.db.reserve").path)
        let failure = await engine.statistics().first?.storageFailure
        try disk.free()
        clock.advance(by: .seconds(61))
        await engine.storeBuffered()
        let recovered = await engine.statistics().first?.storageFailure

        #expect(isReserved)
        #expect(failure == .full)
        #expect(recovered == nil)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.pending + (ledger.dropped[.bufferFull] ?? 0) == 21_000)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `a denial is stored in the file of the reserve if the disk has no room for another file`() async throws {
        let disk = try SmallDisk(megabytes: 24, files: 24)
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(SmallDiskDecisionTests.configuration(disk.queue))
        await SmallDiskDecisionTests.track(10, by: first)
        await first.close(timeout: .zero)
        try disk.useAllFiles()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(SmallDiskDecisionTests.configuration(disk.queue))

        try await engine.setConsent(.denied, for: .analytics)

        #expect(try disk.copy().rows().state?.decisions["analytics"]?.consent == .denied)
        try disk.free()
        await engine.close(timeout: .zero)
    }

    @Test func `a denial that was refused is stored within five seconds after there is space`() async throws {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        DiskFaults.prepare()
        try await engine.open(SmallDiskDecisionTests.configuration(queue.url))
        await SmallDiskDecisionTests.track(10, by: engine)
        DiskFaults.set(.write(ENOSPC), for: queue.url)
        // The pauses between attempts have grown to a minute.
        for _ in 1...7 {
            await engine.storeBuffered()
            clock.advance(by: .seconds(61))
            await engine.storeBuffered()
        }
        await #expect(throws: DecisionError.notStored(.full)) {
            try await engine.setConsent(.denied, for: .analytics)
        }

        DiskFaults.set(nil, for: queue.url)
        _ = await clock.nextSleep { $0 <= .seconds(5) }
        clock.advance(by: .seconds(5))

        await engine.waitUntilGone("CANARY", from: queue)
        #expect(try queue.copy().rows().state?.decisions["analytics"]?.consent == .denied)
        await engine.close(timeout: .zero)
    }

    private static func configuration(
        _ directory: URL,
        _ transport: ScriptedTransport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) },
        to destinations: [LineDestination] = [LineDestination()]
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: destinations, transport: transport)
    }

    private static func ledger(_ lane: LaneID, of engine: DeliveryEngine) async -> LaneLedger {
        await engine.statistics().first { $0.id == lane }?.ledger ?? LaneLedger()
    }

    private static func track(_ count: Int, by engine: DeliveryEngine, on lane: LaneID = lane) async {
        let text = String(repeating: "CANARY ", count: 30)
        for number in 0..<count {
            engine.lane(lane).track("viewed", parameters: ["n": .int(number), "canary": .string(text)])
            if number % 500 == 499 { await engine.storeBuffered() }
        }
        await engine.storeBuffered()
    }
}
#endif
