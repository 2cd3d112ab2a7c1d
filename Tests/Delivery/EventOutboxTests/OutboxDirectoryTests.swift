import CoreTracker
import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OutboxDirectoryTests {
    @Test func `directory and files are made for their owner alone`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url.appending(path: "a/b"))

        try directory.makeOutbox().close()
        let lock = try directory.lock()

        #expect(try permissions(directory.url.path) == 0o700)
        #expect(try permissions(directory.queue) == 0o600)
        #expect(try permissions(directory.url.path + "/lock") == 0o600)
        lock.release()
    }

    @Test func `links on the way to a directory are resolved once, the directory itself may not be one`() throws {
        let parent = try TemporaryQueue()
        let link = parent.url.appending(path: "link")
        let real = parent.url.appending(path: "real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)

        let directory = try OutboxDirectory(link.appending(path: "outbox"))
        try directory.makeOutbox().close()

        #expect(directory.url.path.hasSuffix("/real/outbox"))
        #expect(try !OutboxDirectory(directory.url).hasNoQueue)
        #expect(throws: OutboxError.foreign(.kind)) { try OutboxDirectory(link) }
    }

    @Test func `a queue file is made once, and a file is no directory`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        try directory.makeOutbox().close()

        #expect(throws: OutboxError.unavailable(code: EEXIST)) { try directory.makeOutbox() }
        #expect(throws: OutboxError.self) { try OutboxDirectory(URL(filePath: directory.queue)) }
    }

    @Test func `queue files of an earlier layout are noticed`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        #expect(try !directory.hasEarlierLayout())

        try Data().write(to: parent.url.appending(path: "queue-1.db"))

        #expect(try directory.hasEarlierLayout())
        #expect(directory.hasNoQueue)
    }

    @Test func `a replacement takes the place of the queue file only once it is complete, also after a kill`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let old = try directory.makeOutbox()
        try old.commit(change("old"), barrier: true)
        old.close()
        try Data("log".utf8).write(to: URL(filePath: directory.queue + "-wal"))

        #expect(throws: OutboxError.full) { try directory.prepareReplacement { _ throws(OutboxError) in throw .full } }
        try directory.completeReplacement()
        #expect(parent.files == ["queue.db", "queue.db-wal"])

        try directory.prepareReplacement { new throws(OutboxError) in try new.commit(change("new"), barrier: true) }
        // The process is killed here, and while the old file is moved aside.
        #expect(parent.files == ["queue.db", "queue.db-wal", "queue.db.next"])
        try FileManager.default.removeItem(atPath: directory.queue + "-wal")
        try OutboxDirectory(parent.url).completeReplacement()
        try OutboxDirectory(parent.url).completeReplacement()

        let found = try StoredQueue(in: directory)
        #expect(found.lanes.map(\.stored.id.service) == ["new"])
        found.outbox.close()
        #expect(parent.files == ["corrupt-1-queue.db", "queue.db"])
    }

    @Test func `what is set aside is moved with all that belongs to it, and deleted only when asked`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queue = try parent.makeFile()
        try Data("wal".utf8).write(to: URL(filePath: queue + "-wal"))

        let moved = try directory.setAside()
        _ = try parent.makeFile()
        let again = try directory.setAside()

        #expect(parent.files == ["corrupt-1-queue.db", "corrupt-2-queue.db"])
        #expect(try String(contentsOfFile: moved + "-wal", encoding: .utf8) == "wal")
        #expect(OutboxDirectory.isRegularFile(again))
        try directory.removeSetAside()
        #expect(parent.files.isEmpty)
    }

    @Test func `a stray beside a queue is moved away, its own log stays`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queue = try parent.makeFile()
        try Data().write(to: URL(filePath: queue + "-wal"))
        try FileManager.default.createSymbolicLink(atPath: queue + "-shm", withDestinationPath: queue)

        try directory.moveStraysAside()

        #expect(parent.files == ["corrupt-1-queue.db", "queue.db", "queue.db-wal"])
    }

    @Test func `a link in the place of the directory is not followed`() throws {
        let parent = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let link = parent.url.appending(path: "queues")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere.url)

        #expect(throws: OutboxError.foreign(.kind)) { try OutboxDirectory(link) }
        #expect(elsewhere.files.isEmpty)
    }

    @Test func `a directory that others may write is not used`() throws {
        let queue = try TemporaryQueue()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: queue.url.path)

        #expect(throws: OutboxError.foreign(.permissions)) { try OutboxDirectory(queue.url) }
        #expect(queue.files.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `a directory or a queue of another user is not used, and stays as it is`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let path = try queue.makeFile()
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)
        #expect(throws: OutboxError.foreign(.owner)) { try StoredQueue(in: directory) }
        #expect(throws: OutboxError.foreign(.owner)) { try SQLiteOutbox(path: path) }

        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: queue.url.path)

        #expect(throws: OutboxError.foreign(.owner)) { try OutboxDirectory(queue.url) }
        #expect(queue.files == ["queue.db"])
        #expect(OutboxDirectory.size(path) == 0)
    }

    @Test(arguments: ForeignThing.allCases)
    func `a queue that is not this user's own is not opened`(thing: ForeignThing) throws {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let target = try elsewhere.makeFile()
        let directory = try OutboxDirectory(queue.url)
        let path = queue.path
        try thing.put(at: path, target: target)

        #expect(throws: OutboxError.foreign(thing.trait)) { try StoredQueue(in: directory) }
        #expect(throws: OutboxError.foreign(thing.trait)) { try SQLiteOutbox(path: path) }
        #expect(OutboxDirectory.size(target) == 0)
    }

    @Test(arguments: ForeignThing.allCases)
    func `a log that is not this user's own is moved away before it is believed`(thing: ForeignThing) throws {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let target = try elsewhere.makeFile()
        let directory = try OutboxDirectory(queue.url)
        let path = try queue.makeFile()
        try thing.put(at: path + "-wal", target: target)

        try directory.moveStraysAside()

        #expect(queue.files == ["corrupt-1-queue.db", "queue.db"])
    }

    @Test func `half-written files are deleted after a while, and a log without a queue is moved aside`() throws {
        let queue = try TemporaryQueue()
        let names = ["consent.new-1", "consent.new-2", "notes", "queue.db-wal"]
        for name in names { try Data("x".utf8).write(to: queue.url.appending(path: name)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: queue.url.appending(path: "consent.new-1").path
        )

        try OutboxDirectory(queue.url).moveStraysAside()

        #expect(queue.files == ["consent.new-2", "corrupt-1-queue.db", "notes"])
    }

    @Test func `a file is missing only if nothing has its name, not if another error hides it`() throws {
        let queue = try TemporaryQueue()
        let file = try queue.makeFile()
        let link = queue.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")

        #expect(OutboxDirectory.isMissing(file + "-wal"))
        // No directory, a name that is too long, a link that leads nowhere, and a file.
        for path in [file + "/x", file + String(repeating: "x", count: 300), link, file] {
            #expect(!OutboxDirectory.isMissing(path), "\(path)")
        }
    }

    @Test func `what was set aside is kept for its time, and the oldest goes while there is too much`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let now = Timestamp(microseconds: 1_800_000_000_000_000)
        for age in [0.0, 100, 200, 4_000] {
            try Data(count: 1_000).write(to: URL(filePath: queue.makeFile()))
            let moved = URL(filePath: try directory.setAside()).deletingLastPathComponent().path
            let date = Date(timeIntervalSince1970: 1_800_000_000 - age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: moved)
        }

        let limit = { OutboxDirectory.SetAsideLimit(age: .seconds(3_600), bytes: $0) }
        #expect(try directory.trimSetAside(now: now, limit: limit(10_000)) == 1)
        #expect(queue.files.map { $0.prefix(9) } == ["corrupt-1", "corrupt-2", "corrupt-3"])
        #expect(try directory.trimSetAside(now: now, limit: limit(1_500)) == 2)
        #expect(queue.files.map { $0.prefix(9) } == ["corrupt-1"])
        #expect(try directory.trimSetAside(now: now.advanced(bySeconds: -9_999), limit: limit(1_000)) == 0)
    }

    private func change(_ service: String) -> OutboxChange {
        var change = OutboxChange()
        change.lanes = [StoredLane(number: 1, id: LaneID(product: "T", service: service))]
        return change
    }

    private func permissions(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? NSNumber).intValue
    }
}
