import EventBuffer
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OutboxDirectoryTests {
    @Test func `directory and files are made for their owner alone`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url.appending(path: "a/b"))

        let queue = try directory.makeQueue(id: "1")

        #expect(try permissions(directory.url.path) == 0o700)
        #expect(try permissions(queue) == 0o600)
    }

    @Test func `links on the way to a directory are resolved once, the directory itself may not be one`() throws {
        let parent = try TemporaryQueue()
        let link = parent.url.appending(path: "link")
        let real = parent.url.appending(path: "real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)

        let directory = try OutboxDirectory(link.appending(path: "outbox"))
        let outbox = try SQLiteOutbox(path: directory.makeQueue(id: "1"))
        outbox.close()

        #expect(directory.url.path.hasSuffix("/real/outbox"))
        #expect(try OutboxDirectory(directory.url).queues().count == 1)
        #expect(throws: OutboxError.foreign(.kind)) { try OutboxDirectory(link) }
    }

    @Test func `queues are listed by name, without what is no regular file of their kind`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queues = try ["1", "2"].map { try directory.makeQueue(id: $0) }
        try Data().write(to: parent.url.appending(path: "queue-3.txt"))
        try FileManager.default.createDirectory(
            at: parent.url.appending(path: "queue-4.db"),
            withIntermediateDirectories: false
        )
        try FileManager.default.createSymbolicLink(
            atPath: parent.url.appending(path: "queue-5.db").path,
            withDestinationPath: queues[0]
        )

        #expect(try directory.queues() == queues)
    }

    @Test func `a name is given once, and a file is no directory`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queue = try directory.makeQueue(id: "1")

        #expect(throws: OutboxError.unavailable(code: EEXIST)) { try directory.makeQueue(id: "1") }
        #expect(throws: OutboxError.self) { try OutboxDirectory(URL(filePath: queue)) }
    }

    @Test func `what is set aside is moved with all that belongs to it, and deleted only when asked`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queue = try directory.makeQueue(id: "1")
        try Data("wal".utf8).write(to: URL(filePath: queue + "-wal"))

        let moved = try directory.setAside(queue)
        let again = try directory.setAside(try directory.makeQueue(id: "1"))

        #expect(parent.files == ["corrupt-1-queue-1.db", "corrupt-2-queue-1.db"])
        #expect(try String(contentsOfFile: moved + "-wal", encoding: .utf8) == "wal")
        #expect(OutboxDirectory.isRegularFile(again))
        try directory.removeSetAside()
        #expect(parent.files.isEmpty)
    }

    @Test func `a stray beside a queue is moved away, its own log stays`() throws {
        let parent = try TemporaryQueue()
        let directory = try OutboxDirectory(parent.url)
        let queue = try directory.makeQueue(id: "1")
        try Data().write(to: URL(filePath: queue + "-wal"))
        try FileManager.default.createSymbolicLink(atPath: queue + "-shm", withDestinationPath: queue)

        try directory.clearStrays(of: queue)

        #expect(parent.files == ["corrupt-1-queue-1.db", "queue-1.db", "queue-1.db-wal"])
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
        let path = try directory.makeQueue(id: "1")
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)
        #expect(try directory.queues().isEmpty)
        #expect(throws: OutboxError.foreign(.owner)) { try SQLiteOutbox(path: path) }

        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: queue.url.path)

        #expect(throws: OutboxError.foreign(.owner)) { try OutboxDirectory(queue.url) }
        #expect(queue.files == ["queue-1.db"])
        #expect(OutboxDirectory.size(path) == 0)
    }

    @Test(arguments: ForeignThing.allCases)
    func `a queue that is not this user's own is not opened`(thing: ForeignThing) throws {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let target = try OutboxDirectory(elsewhere.url).makeQueue(id: "1")
        let directory = try OutboxDirectory(queue.url)
        let path = queue.url.appending(path: "queue-1.db").path
        try thing.put(at: path, target: target)

        #expect(try directory.queues().isEmpty)
        #expect(throws: OutboxError.foreign(thing.trait)) { try SQLiteOutbox(path: path) }
        #expect(OutboxDirectory.size(target) == 0)
    }

    @Test(arguments: ForeignThing.allCases)
    func `a log that is not this user's own is moved away before it is believed`(thing: ForeignThing) throws {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let target = try OutboxDirectory(elsewhere.url).makeQueue(id: "1")
        let directory = try OutboxDirectory(queue.url)
        let path = try directory.makeQueue(id: "1")
        try thing.put(at: path + "-wal", target: target)

        try directory.clearStrays(of: path)

        #expect(queue.files == ["corrupt-1-queue-1.db", "queue-1.db"])
    }

    @Test func `what belongs to a queue that is gone is deleted, and so are half-written files after a while`() throws {
        let queue = try TemporaryQueue()
        let names = ["queue-1.db-wal", "queue-1.db-shm", "queue-1.db.mark", "queue-1.db.ballast", "consent.new-1"]
        let kept = ["consent.new-2", "notes", "queue-2.db", "queue-2.db-wal"]
        for name in names + kept { try Data("x".utf8).write(to: queue.url.appending(path: name)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: queue.url.appending(path: "consent.new-1").path
        )

        _ = try OutboxDirectory(queue.url)

        #expect(queue.files == kept)
    }

    @Test func `a file is missing only if nothing has its name, not if another error hides it`() throws {
        let queue = try TemporaryQueue()
        let directory = try OutboxDirectory(queue.url)
        let file = try directory.makeQueue(id: "1")
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
        for (index, age) in [0.0, 100, 200, 4_000].enumerated() {
            let path = try directory.makeQueue(id: "\(index)")
            try Data(count: 1_000).write(to: URL(filePath: path))
            let moved = URL(filePath: try directory.setAside(path)).deletingLastPathComponent().path
            let date = Date(timeIntervalSince1970: 1_800_000_000 - age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: moved)
        }

        let limit = { OutboxDirectory.SetAsideLimit(age: .seconds(3_600), bytes: $0) }
        #expect(try directory.trimSetAside(now: now, limit: limit(10_000)) == 1)
        #expect(queue.files.map { $0.suffix(4) } == ["0.db", "1.db", "2.db"])
        #expect(try directory.trimSetAside(now: now, limit: limit(1_500)) == 2)
        #expect(queue.files.map { $0.suffix(4) } == ["0.db"])
        #expect(try directory.trimSetAside(now: now.advanced(bySeconds: -9_999), limit: limit(1_000)) == 0)
    }

    private func permissions(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? NSNumber).intValue
    }
}
