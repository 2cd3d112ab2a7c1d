import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventOutbox

@Suite struct OutboxDirectoryTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `the directory and its files are created for their owner only`() throws {
        let directory = try OutboxDirectory(queue.url.appending(path: "a/b"))

        try directory.makeOutbox().close()
        let lock = try directory.lock()

        #expect(try permissions(directory.url.path) == 0o700)
        #expect(try permissions(directory.queue) == 0o600)
        #expect(try permissions(directory.url.path + "/lock") == 0o600)
        lock.release()
    }

    @Test func `links in the directory's path are resolved once, but the directory itself must not be a link`() throws {
        let link = queue.url.appending(path: "link")
        let real = queue.url.appending(path: "real")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)

        let directory = try OutboxDirectory(link.appending(path: "outbox"))
        try directory.makeOutbox().close()

        #expect(directory.url.path.hasSuffix("/real/outbox"))
        #expect(FileStatus.isRegular(at: real.appending(path: "outbox/queue.db").path))
        #expect(throws: OutboxError.foreign(.kind)) { try OutboxDirectory(link) }
    }

    @Test func `a queue file is created once, and a file is not used as a directory`() throws {
        let directory = try OutboxDirectory(queue.url)
        try directory.makeOutbox().close()

        #expect(throws: OutboxError.unavailable(code: EEXIST)) { try directory.makeOutbox() }
        #expect(throws: OutboxError.self) { try OutboxDirectory(URL(filePath: directory.queue)) }
    }

    @Test(arguments: [
        ("queue.db.checkpoint", true), ("queue.db.reserve", true), ("corrupt-1-queue.db", true), ("queue.db-wal", true),
        ("lock", false), ("notes", false),
    ])
    func `a missing queue file is lost if there is a file that is created beside it`(name: String, isLost: Bool) throws
    {
        let directory = try OutboxDirectory(queue.url)

        try Data().write(to: queue.url.appending(path: name))

        #expect(try directory.lacksQueue() == isLost)
        try directory.makeOutbox().close()
        #expect(try !directory.lacksQueue())
    }

    @Test func `a directory is surely empty without a queue file, its replacement and the files beside it`() throws {
        #expect(OutboxDirectory.isSurelyEmpty(queue.url))
        #expect(OutboxDirectory.isSurelyEmpty(queue.url.appending(path: "none")))
        for name in ["queue.db", "queue.db.next", "queue.db.checkpoint", "queue.db.reserve"] {
            let file = queue.url.appending(path: name)
            try Data().write(to: file)
            #expect(!OutboxDirectory.isSurelyEmpty(queue.url))
            try FileManager.default.removeItem(at: file)
        }
        // The name is too long, so nothing is known about the directory.
        #expect(!OutboxDirectory.isSurelyEmpty(queue.url.appending(path: String(repeating: "x", count: 300))))
    }

    @Test func `a file is missing only if no file has its name, not if another error hides it`() throws {
        let file = try queue.makeFile()
        let link = queue.url.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")

        #expect(FileStatus.isMissing(at: file + "-wal"))
        // A file in the place of a directory, too long a name, a broken link, and a file.
        for path in [file + "/x", file + String(repeating: "x", count: 300), link, file] {
            #expect(!FileStatus.isMissing(at: path), "\(path)")
        }
    }

    @Test func `unfinished files are deleted after ten minutes`() throws {
        for name in ["checkpoint.new-1", "checkpoint.new-2", "notes"] {
            try Data("x".utf8).write(to: queue.url.appending(path: name))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
            ofItemAtPath: queue.url.appending(path: "checkpoint.new-1").path
        )

        _ = try OutboxDirectory(queue.url)

        #expect(queue.files == ["checkpoint.new-2", "notes"])
    }

    private func permissions(_ path: String) throws -> Int {
        let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        return try #require(value as? NSNumber).intValue
    }
}

/// Files and directories that a supervisor has opened to a group.
extension OutboxDirectoryTests {
    @Test(arguments: [(0o2770, 0o660), (0o700, 0o660), (0o770, 0o600), (0o775, 0o664)])
    func `a directory and files that a group can write to get their modes back, and are used`(
        folder: Int,
        file: Int
    ) throws {
        let directory = try OutboxDirectory(queue.url)
        try directory.makeOutbox().close()
        let names = ["lock", "queue.db", "queue.db-wal", "queue.db-journal", "queue.db.checkpoint", "queue.db.reserve"]
        for name in names {
            let path = queue.url.appending(path: name).path
            if name != "queue.db" { try Data().write(to: URL(filePath: path)) }
            #expect(unsafe chmod(path, mode_t(file)) == 0)
        }
        #expect(unsafe chmod(queue.url.path, mode_t(folder)) == 0)

        let opened = try OutboxDirectory(queue.url)
        let lock = try opened.lock()
        let outbox = try SQLiteOutbox(path: opened.queue)
        outbox.close()
        lock.release()

        #expect(opened.wasOpenToGroup && !directory.wasOpenToGroup)
        #expect(try permissions(queue.url.path) == 0o700)
        for path in names.map({ queue.url.appending(path: $0).path }) where !FileStatus.isMissing(at: path) {
            #expect(try permissions(path) == 0o600, "\(path)")
        }
        #expect(try !OutboxDirectory(queue.url).wasOpenToGroup)
    }

    @Test func `a write-ahead log that a group can write to stays with its queue`() throws {
        let path = try queue.makeFile()
        try Data().write(to: URL(filePath: path + "-wal"))
        #expect(unsafe chmod(path + "-wal", 0o660) == 0)

        try OutboxDirectory(queue.url).moveStraysAside()

        #expect(queue.files == ["queue.db", "queue.db-wal"])
    }

    @Test func `other files in the directory keep their modes`() throws {
        let notes = queue.url.appending(path: "notes").path
        try Data().write(to: URL(filePath: notes))
        #expect(unsafe chmod(notes, 0o664) == 0)

        let directory = try OutboxDirectory(queue.url)
        try directory.lock().release()

        #expect(try permissions(notes) == 0o664)
        #expect(!directory.wasOpenToGroup)
    }

    @Test(arguments: [0o2777, 0o707])
    func `a directory that anybody can write to stays refused and unchanged`(mode: Int) throws {
        #expect(unsafe chmod(queue.url.path, mode_t(mode)) == 0)

        #expect(throws: OutboxError.foreign(.permissions)) { try OutboxDirectory(queue.url) }
        #expect(try permissions(queue.url.path) == mode)
    }

    @Test(
        arguments: [
            ("/", S_IFDIR, nil), ("/etc/hosts", S_IFREG, .owner),
            ("/etc/hosts", S_IFDIR, .kind),
        ] as [(String, mode_t, OutboxError.ForeignTrait?)]
    )
    func `of root's files, a process may use a directory that not everybody can write to`(
        path: String,
        kind: mode_t,
        trait: OutboxError.ForeignTrait?
    ) throws {
        #expect(try #require(FileStatus(at: path)).foreignTrait(kind, for: 12_345) == trait)
    }

    @Test func `the file for which an engine refuses the directory is known`() throws {
        let path = try queue.makeFile()
        #expect(OutboxDirectory.foreignFile(in: queue.url, for: geteuid()) == nil)

        #expect(unsafe chmod(path, 0o666) == 0)

        let found = try #require(OutboxDirectory.foreignFile(in: queue.url, for: geteuid()))
        #expect(found.path == path && found.trait == .permissions)
    }
}

/// Files and directories that do not belong to this user alone.
extension OutboxDirectoryTests {
    @Test func `a link in the place of the directory is not followed`() throws {
        let elsewhere = try TemporaryQueue()
        let link = queue.url.appending(path: "queues")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: elsewhere.url)

        #expect(throws: OutboxError.foreign(.kind)) { try OutboxDirectory(link) }
        #expect(elsewhere.files.isEmpty)
    }

    @Test func `a directory that other users may write to is not used`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: queue.url.path)

        #expect(throws: OutboxError.foreign(.permissions)) { try OutboxDirectory(queue.url) }
        #expect(queue.files.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change the owner of a directory"))
    func `a directory or a queue file of another user is not used, and stays unchanged`() throws {
        let path = try queue.makeFile()
        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: path)
        #expect(throws: OutboxError.foreign(.owner)) { try SQLiteOutbox(path: path) }

        try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: queue.url.path)

        #expect(throws: OutboxError.foreign(.owner)) { try OutboxDirectory(queue.url) }
        #expect(queue.files == ["queue.db"])
        #expect(FileStatus.size(at: path) == 0)
    }

    @Test(arguments: ForeignFile.allCases)
    func `a queue file that does not belong to this user alone is not opened or read, and its error has the reason`(
        file: ForeignFile
    ) throws {
        let elsewhere = try TemporaryQueue()
        let stored = try elsewhere.outbox()
        stored.close()
        let bytes = try Data(contentsOf: URL(filePath: elsewhere.path))
        try file.create(at: queue.path, target: elsewhere.path)

        #expect(throws: OutboxError.foreign(file.trait)) { try SQLiteOutbox(path: queue.path) }
        #expect(throws: OutboxError.foreign(file.trait)) { try SQLiteSalvage(path: queue.path) }
        #expect(try Data(contentsOf: URL(filePath: elsewhere.path)) == bytes)
        #expect(queue.files == ["queue.db"])
    }
}
