import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Tests of unusable directories, at the start or later.
@Suite(.timeLimit(.minutes(5))) struct UnusableDirectoryTests {
    @Test func `if no directory can be created, events are delivered from memory and one diagnostic is sent`()
        async throws
    {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(timeout: .seconds(5))
        harness.clock.advance(by: .seconds(100))
        harness.track([4])
        _ = await harness.engine.flush(timeout: .seconds(5))
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)

        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        #expect(await diagnostics.count(where: \.isStorageFailure) == 1)
    }

    @Test(arguments: [true, false]) func `only a usable directory is reported as open`(isUsable: Bool) async throws {
        let (place, queue) = (try BlockedPlace(), try TemporaryQueue())
        let harness = LaneHarness(directory: isUsable ? queue.url : place.directory)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        await harness.engine.close(timeout: .zero)

        #expect(await diagnostics.count(where: \.isOpening) == (isUsable ? 1 : 0))
    }

    @Test(arguments: [false, true])
    func `a directory of another user is not used, events are delivered from memory, and a diagnostic names the reason`(
        isOwnedByAnother: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: queue.url.path)
        // Only root can give a directory away.
        if isOwnedByAnother {
            guard unsafe chown(queue.url.path, 12_345, 12_345) == 0 else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: queue.url.path)
        }
        let harness = LaneHarness(directory: queue.url)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(timeout: .seconds(5))
        let news = await diagnostics.next(where: \.isStorageFailure)
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)

        #expect(news == .storageFailed(.foreign(isOwnedByAnother ? .owner : .permissions)))
        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(queue.files.isEmpty)
    }

    @Test func `a directory below a link is used, because each container on iOS is one`() async throws {
        let queue = try TemporaryQueue()
        let link = queue.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: queue.url)
        let harness = LaneHarness(directory: link.appending(path: "outbox")) { _, _ in .fail(.timedOut) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.close(timeout: .zero)

        let next = LaneHarness(directory: queue.url.appending(path: "outbox"))
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(TemporaryQueue.hasQueue(in: queue.url.appending(path: "outbox")))
        try await LedgerCheck.check(next.engine)
    }

    @Test func `when the directory can be created later, the events in memory are stored in it`() async throws {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory) { _, _ in .fail(.connectionFailed(code: 111)) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...3)
        await harness.engine.storeBuffered()

        try place.clear()
        harness.clock.advance(by: .seconds(61))
        let recovered = await diagnostics.next { $0 == .storageRecovered }
        harness.track([4])
        await harness.engine.storeBuffered()
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: place.directory)
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(5))

        #expect(recovered != nil)
        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        try await LedgerCheck.check(next.engine)
    }

    @Test func `the receipt of an event in memory waits until the event is stored`() async throws {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()

        async let id = harness.store(1)
        await harness.transport.requests(count: 1)
        try place.clear()
        harness.clock.advance(by: .seconds(61))

        let receipt = await id
        #expect(await harness.engine.explain(receipt)?.lane == harness.destination.lane)
        #expect(TemporaryQueue.hasQueue(in: place.directory))
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `the events in a directory that appears later stay for the next start`()
        async throws
    {
        let place = try BlockedPlace()
        let first = LaneHarness(directory: place.aside) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        first.track(1...3)
        await first.engine.close(timeout: .zero)
        let harness = LaneHarness(directory: place.directory)
        try await harness.open()

        try place.putAsideInPlace()
        harness.track(4...5)
        let report = await harness.engine.flush(timeout: .seconds(60))
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: place.directory)
        try await next.open()
        #expect(await next.engine.flush(timeout: .seconds(60)).isDrained)

        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [4, 5])
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(next.engine)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `events are delivered although the directory is read-only`() async throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: queue.url.path)
        let harness = LaneHarness(directory: queue.url)

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `if the queue file is lost and the directory cannot be used, no event is sent without its decision`()
        async throws
    {
        let queue = try TemporaryQueue()
        DiskFaults.prepare()
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        try await first.engine.setConsent(.denied, for: .analytics)
        await first.engine.close(timeout: .zero)
        try FileManager.default.removeItem(atPath: queue.path)
        DiskFaults.set(.newFile(EROFS), for: queue.url)

        let second = LaneHarness(directory: queue.url)
        try await second.open()
        second.track(1...3)
        _ = await second.engine.flush(timeout: .zero)
        DiskFaults.set(nil, for: queue.url)
        second.clock.advance(by: .seconds(61))
        await second.engine.storeBuffered()

        #expect(second.transport.requests.isEmpty)
        #expect(await second.engine.statistics().map(\.consent) == [.unknown])
        try await LedgerCheck.check(second.engine)
        await second.engine.close(timeout: .zero)
    }

    @Test func `without a free file descriptor events are kept in memory, and stored when there is one`()
        async throws
    {
        let queue = try TemporaryQueue()
        DiskFaults.set(.open(EMFILE), for: queue.url)
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.storeBuffered()
        try await LedgerCheck.check(harness.engine)

        DiskFaults.set(nil, for: queue.url)
        await harness.engine.storeBuffered()
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(next.engine)
    }

    @Test(arguments: [Removal.database, .log])
    func `files that disappear while the engine runs are created again, and no event is lost`(removal: Removal)
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.storeBuffered()

        try removal.perform(in: queue)
        harness.track([4])
        await harness.engine.storeBuffered()
        harness.track([5])
        await harness.engine.storeBuffered()
        try await LedgerCheck.check(harness.engine)
        let copy = try queue.copy()
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: copy.url)
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4, 5])
        #expect(await next.ledger.dropped.isEmpty)
        #expect(queue.hasQueue)
        try await LedgerCheck.check(next.engine)
    }

    @Test(arguments: [Removal.directory, .everything])
    func `a directory that disappears is created again, and later events are stored in it`(removal: Removal)
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.storeBuffered()

        try removal.perform(in: queue)
        harness.track([4])
        for _ in 1...2 { await harness.engine.storeBuffered() }
        harness.track([5])
        await harness.engine.storeBuffered()
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        let report = await next.engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        // The first event may have been on its way to the deleted files.
        #expect([[4, 5], [5]].contains(next.transport.requests.flatMap(\.numbers)))
        try await LedgerCheck.check(next.engine)
    }

    @Test func `a batch whose files disappear during its request is delivered once`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        // Events tracked before the opening are sent in one request.
        harness.track(1...3)
        try await harness.open()
        await harness.transport.requests(count: 1)
        try Removal.database.perform(in: queue)

        await harness.engine.storeBuffered()
        harness.transport.setScript { _, _ in .status(200) }
        let report = await harness.engine.flush(timeout: .seconds(60))

        #expect(report.isDrained)
        #expect(Set(harness.transport.requests.map(\.headers)).count == 1)
        #expect(await harness.ledger.delivered == 3)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `before the first unlock events wait, and get the stored installation id`()
        async throws
    {
        let queue = try TemporaryQueue()
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        let stored = first.engine.identity.deviceID
        await first.engine.close(timeout: .zero)
        DiskFaults.set(.open(EPERM), for: queue.url)
        let harness = LaneHarness(directory: queue.url)
        try await harness.open()
        harness.track([1])
        await harness.engine.storeBuffered()
        #expect(harness.engine.identity.deviceID.isEmpty)
        #expect(harness.engine.unstoredCount == 1)

        DiskFaults.set(nil, for: queue.url)
        await harness.engine.storeBuffered()

        #expect(harness.engine.identity.deviceID == stored)
        #expect(harness.engine.unstoredCount == 0)
        #expect(await harness.engine.flush(timeout: .seconds(60)).isDrained)
        await harness.engine.close(timeout: .zero)
        #expect(try queue.rows().state?.installation == stored)
    }

    @Test func `an installation id that was created without a directory is stored later, and so is that of a reset`()
        async throws
    {
        let place = try BlockedPlace()
        let first = LaneHarness(directory: place.directory)
        try await first.open()
        let provisional = first.engine.identity.deviceID

        try place.clear()
        first.clock.advance(by: .seconds(61))
        await first.engine.storeBuffered()
        #expect(first.engine.identity.deviceID == provisional)
        #expect(try TemporaryQueue.installation(in: place.directory) == provisional)
        await first.engine.reset()

        #expect(first.engine.identity.deviceID != provisional)
        #expect(try TemporaryQueue.installation(in: place.directory) == first.engine.identity.deviceID)
    }
    @Test func `an unavailable directory is tried at the times of its back-off only`() async throws {
        let queue = try TemporaryQueue()
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        await first.engine.close(timeout: .zero)
        let clock = TestClock()
        let attempts = Mutex(0)
        var runtime = EngineRuntime.system
        runtime.holdsLock = { _ in attempts.withLock { $0 += 1 } }
        let engine = DeliveryEngine(runtime: runtime, clock: clock)
        DiskFaults.set(.open(EPERM), for: queue.url)
        try await engine.open(GrantedEngine.configuration(queue.url, ScriptedTransport()))
        let lane = engine.lane(LineDestination().lane)
        lane.track("viewed", parameters: ["n": 0])

        for (number, wait) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            _ = await clock.nextSleep { $0 == .seconds(wait) }
            #expect(attempts.withLock { $0 } == number + 1)
            // Neither a new event nor a step of its lane tries again before the time.
            lane.track("viewed", parameters: ["n": 0])
            clock.advance(by: .seconds(wait) - .milliseconds(1))
            lane.track("viewed", parameters: ["n": 0])
            _ = await engine.statistics()
            _ = await clock.nextSleep { $0 == .milliseconds(1) }
            #expect(attempts.withLock { $0 } == number + 1)
            clock.advance(by: .milliseconds(1))
        }

        DiskFaults.set(nil, for: queue.url)
        #expect(await engine.flush(timeout: .seconds(60)).isDrained)
        await engine.close(timeout: .zero)
    }

    @Test func `a directory that could not be created is not created before the time of its back-off`() async throws {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory)
        try await harness.open()
        try place.clear()

        harness.track(1...3)
        await harness.transport.requests(count: 1)
        let existsBefore = FileManager.default.fileExists(atPath: place.directory.path)
        harness.clock.advance(by: .seconds(1))
        while !TemporaryQueue.hasQueue(in: place.directory) { await Task.yield() }

        #expect(!existsBefore)
        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(harness.engine)
    }
}
