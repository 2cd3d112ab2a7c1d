import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct DirectoryLockTests {
    private let queue: TemporaryQueue
    private let directory: OutboxDirectory

    init() throws {
        queue = try TemporaryQueue()
        directory = try OutboxDirectory(queue.url)
    }

    @Test func `one lock at a time is held, until it is released`() throws {
        let first = try directory.lock()
        #expect(first.isHeld)
        #expect(throws: OutboxError.directoryInUse) { try directory.lock() }

        first.release()
        first.release()

        #expect(!first.isHeld)
        let second = try directory.lock()
        #expect(second.isHeld)
        #expect(queue.files == ["lock"])
    }

    @Test func `a lock whose file was deleted or replaced is no longer held`() throws {
        let first = try directory.lock()
        let path = queue.url.appending(path: "lock").path

        try FileManager.default.removeItem(atPath: path)
        #expect(!first.isHeld)
        let second = try directory.lock()

        #expect(!first.isHeld)
        #expect(second.isHeld)
    }

    @Test func `a lock of this process is recognized while it is held`() throws {
        #expect(!OutboxDirectory.isLockedByThisProcess(queue.url))
        let lock = try directory.lock()
        #expect(OutboxDirectory.isLockedByThisProcess(queue.url))

        lock.release()

        #expect(!OutboxDirectory.isLockedByThisProcess(queue.url))
    }

    @Test func `the last reference releases the lock`() throws {
        do { _ = try directory.lock() }

        #expect(try directory.lock().isHeld)
    }

    @Test(arguments: ForeignFile.allCases)
    func `a lock file that does not belong to this user alone is not used`(file: ForeignFile) throws {
        let elsewhere = try TemporaryQueue()
        try file.create(at: queue.url.appending(path: "lock").path, target: elsewhere.makeFile())

        #expect(throws: OutboxError.foreign(file.trait)) { try directory.lock() }
    }
}
