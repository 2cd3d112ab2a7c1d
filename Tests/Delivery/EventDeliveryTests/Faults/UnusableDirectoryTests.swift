import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Directories that cannot be used, at the start or from some moment on.
@Suite struct UnusableDirectoryTests {
    @Test func `F18 where no directory can be made, events are delivered from memory and it is said once`() async throws
    {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(deadline: .seconds(5))
        harness.clock.advance(by: .seconds(100))
        harness.track([4])
        _ = await harness.engine.flush(deadline: .seconds(5))
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(deadline: .zero)

        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        #expect(await diagnostics.count(where: \.isStorageFailure) == 1)
    }

    @Test(arguments: [false, true])
    func `a directory that is somebody else's is not used: events go on from memory, and it is said why`(
        isOwnedByAnother: Bool
    ) async throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: queue.url.path)
        // Only root can give a directory away, and root is who would not notice missing permissions.
        if isOwnedByAnother {
            guard unsafe chown(queue.url.path, 12_345, 12_345) == 0 else { return }
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: queue.url.path)
        }
        let harness = LaneHarness(directory: queue.url)
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(deadline: .seconds(5))
        let news = await diagnostics.next(where: \.isStorageFailure)
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(deadline: .zero)

        #expect(news == .storageFailed(.foreign(isOwnedByAnother ? .owner : .permissions)))
        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(queue.files.isEmpty)
    }

    @Test func `a directory below a link is used: each container on iOS is one`() async throws {
        let queue = try TemporaryQueue()
        let link = queue.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: queue.url)
        let harness = LaneHarness(directory: link.appending(path: "outbox")) { _, _ in .fail(.timedOut) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.close(deadline: .zero)

        let next = LaneHarness(directory: queue.url.appending(path: "outbox"))
        try await next.open()
        let report = await next.engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(OutboxDirectory.isRegularFile(TemporaryQueue.path(in: queue.url.appending(path: "outbox"))))
        try await LedgerCheck.check(next.engine)
    }

    @Test func `F18 when the directory can be made after all, what is in memory is stored in it`() async throws {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory) { _, _ in .fail(.connectionFailed(code: 111)) }
        var diagnostics = harness.engine.diagnostics().makeAsyncIterator()
        try await harness.open()
        harness.track(1...3)
        await harness.engine.persist()

        try place.clear()
        harness.clock.advance(by: .seconds(61))
        let recovered = await diagnostics.next { $0 == .storageRecovered }
        harness.track([4])
        await harness.engine.persist()
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(deadline: .zero)
        let next = LaneHarness(directory: place.directory)
        try await next.open()
        let report = await next.engine.flush(deadline: .seconds(5))

        #expect(recovered != nil)
        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4])
        try await LedgerCheck.check(next.engine)
    }

    @Test func `F18 a receipt waits until what is in memory is stored`() async throws {
        let place = try BlockedPlace()
        let harness = LaneHarness(directory: place.directory) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()

        async let id = harness.store(1)
        await harness.transport.requests(count: 1)
        try place.clear()
        harness.clock.advance(by: .seconds(61))

        let receipt = await id
        #expect(await harness.engine.explain(receipt)?.lane == harness.destination.lane)
        #expect(OutboxDirectory.isRegularFile(TemporaryQueue.path(in: place.directory)))
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `F18 what an earlier run has left in a directory that appears later stays for the next start`()
        async throws
    {
        let place = try BlockedPlace()
        let first = LaneHarness(directory: place.aside) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await first.open()
        first.track(1...3)
        await first.engine.close(deadline: .zero)
        let harness = LaneHarness(directory: place.directory)
        try await harness.open()

        try place.putAsideInPlace()
        harness.track(4...5)
        let report = await harness.engine.flush(deadline: .seconds(60))
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(deadline: .zero)
        let next = LaneHarness(directory: place.directory)
        try await next.open()
        #expect(await next.engine.flush(deadline: .seconds(60)).isDrained)

        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [4, 5])
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(next.engine)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `F18 a read-only directory is no obstacle to delivery`() async throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: queue.url.path)
        let harness = LaneHarness(directory: queue.url)

        try await harness.open()
        harness.track(1...3)
        let report = await harness.engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `F17 without a file descriptor to spare events are kept in memory, and stored once there is one`()
        async throws
    {
        let queue = try TemporaryQueue()
        DiskFaults.set(.open(EMFILE), for: queue.url)
        let harness = LaneHarness(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.persist()
        try await LedgerCheck.check(harness.engine)

        DiskFaults.set(nil, for: queue.url)
        await harness.engine.persist()
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(deadline: .zero)
        let next = LaneHarness(directory: queue.url)
        try await next.open()
        let report = await next.engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        try await LedgerCheck.check(next.engine)
    }

    @Test(arguments: Removal.allCases)
    func `F19 files that disappear while the engine runs are made anew, and nothing is lost`(removal: Removal)
        async throws
    {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        try await harness.open()
        harness.track(1...3)
        await harness.engine.persist()

        try removal.perform(in: queue)
        harness.track([4])
        await harness.engine.persist()
        harness.track([5])
        await harness.engine.persist()
        try await LedgerCheck.check(harness.engine)
        let copy = try queue.copy()
        await harness.engine.close(deadline: .zero)
        let next = LaneHarness(directory: copy.url)
        try await next.open()
        let report = await next.engine.flush(deadline: .seconds(60))

        #expect(report.isDrained)
        #expect(next.transport.requests.flatMap(\.numbers) == [1, 2, 3, 4, 5])
        #expect(await next.ledger.dropped.isEmpty)
        #expect(queue.hasQueue)
        try await LedgerCheck.check(next.engine)
    }

    @Test func `F19 a batch under way when the files disappear is acknowledged once`() async throws {
        let queue = try TemporaryQueue()
        let harness = LaneHarness(directory: queue.url) { _, _ in .status(503) }
        // Before the opening, so that all are in the first request.
        harness.track(1...3)
        try await harness.open()
        await harness.transport.requests(count: 1)
        try Removal.directory.perform(in: queue)

        await harness.engine.persist()
        harness.transport.setScript { _, _ in .status(200) }
        let report = await harness.engine.flush(deadline: .seconds(60))

        #expect(report.isDrained)
        #expect(Set(harness.transport.requests.map(\.headers)).count == 1)
        #expect(await harness.ledger.delivered == 3)
        try await LedgerCheck.check(harness.engine)
    }

    @Test func `before the first unlock everything waits, and events get the stored id once it can be read`()
        async throws
    {
        let queue = try TemporaryQueue()
        let first = LaneHarness(directory: queue.url)
        try await first.open()
        let stored = first.engine.identity.deviceID
        await first.engine.close(deadline: .zero)
        DiskFaults.set(.open(EPERM), for: queue.url)
        let harness = LaneHarness(directory: queue.url)
        try await harness.open()
        harness.track([1])
        await harness.engine.persist()
        #expect(harness.engine.identity.deviceID.isEmpty)
        #expect(harness.engine.unstoredCount == 1)

        DiskFaults.set(nil, for: queue.url)
        await harness.engine.persist()

        #expect(harness.engine.identity.deviceID == stored)
        #expect(harness.engine.unstoredCount == 0)
        #expect(await harness.engine.flush(deadline: .seconds(60)).isDrained)
        await harness.engine.close(deadline: .zero)
        #expect(try Installation.stored(in: queue.url) == stored)
    }

    @Test func `an id that was made without a directory is stored once there is one, and so is that of a reset`()
        async throws
    {
        let place = try BlockedPlace()
        let first = LaneHarness(directory: place.directory)
        try await first.open()
        let provisional = first.engine.identity.deviceID

        try place.clear()
        first.clock.advance(by: .seconds(61))
        await first.engine.persist()
        #expect(first.engine.identity.deviceID == provisional)
        #expect(try Installation.stored(in: place.directory) == provisional)
        await first.engine.reset()

        #expect(first.engine.identity.deviceID != provisional)
        #expect(try Installation.stored(in: place.directory) == first.engine.identity.deviceID)
    }
}
