import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of foreign files in the library's directory.
@Suite(.timeLimit(.minutes(5))) struct ForeignFileTests {
    /// Another file at the path of the queue file.
    enum Stray: String, CaseIterable {
        case empty
        case garbage
        case directory
        case symbolicLink
        case namedPipe
        case foreignDatabase

        /// Whether the file may be a damaged queue, so decisions may be lost.
        var isDamage: Bool { [.garbage, .foreignDatabase].contains(self) }

        /// Creates the file at a path.
        ///
        /// A link leads to a target that must stay unchanged.
        func put(at path: String, target: String) throws {
            let url = URL(filePath: path)
            switch self {
            case .empty: try Data().write(to: url)
            case .garbage: try Data(repeating: 0xA5, count: 50_000).write(to: url)
            case .directory: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            case .symbolicLink:
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            case .namedPipe: #expect(unsafe mkfifo(path, 0o600) == 0)
            case .foreignDatabase:
                try Data().write(to: url)
                let connection = try SQLiteConnection(path: path)
                try connection.execute("CREATE TABLE notes (text); INSERT INTO notes VALUES ('not ours')")
                connection.close()
            }
        }
    }

    @Test(arguments: Stray.allCases)
    func `a file that is not a queue is neither followed nor waited for, and events are delivered`(stray: Stray)
        async throws
    {
        let queue = try TemporaryQueue()
        let elsewhere = try TemporaryQueue()
        let target = elsewhere.url.appending(path: "precious").path
        try Data("precious".utf8).write(to: URL(filePath: target))
        let path = queue.path
        try stray.put(at: path, target: target)
        let bytes = TemporaryQueue.size(path)
        let harness = LaneHarness(directory: queue.url)

        try await harness.open()
        harness.track(1...3)
        let first = await harness.engine.flush(timeout: .seconds(5))
        if stray.isDamage { try await harness.engine.setConsent(.granted, for: .analytics) }
        let report = await harness.engine.flush(timeout: .seconds(5))
        try await LedgerCheck.check(harness.engine)
        await harness.engine.close(timeout: .zero)

        // A lost decision may be a denial, so the app must decide again.
        #expect(first.lanes.map(\.outcome) == [stray.isDamage ? .withoutConsent : .drained])
        #expect(report.isDrained)
        #expect(harness.transport.requests.flatMap(\.numbers) == [1, 2, 3])
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        #expect(elsewhere.files == ["precious"])
        // An empty file becomes a new queue. A damaged one may contain events of a denied purpose.
        #expect(stray == .empty || stray.isDamage || TemporaryQueue.size(path) == bytes)
    }

    @Test func `the log of another queue is never mixed with this one`() async throws {
        let one = try await StoredScene(events: 200, isKilled: true)
        let other = try await StoredScene(events: 300, isKilled: true)
        let queue = try one.queue.copy()
        let path = queue.path
        try FileManager.default.removeItem(atPath: path + "-wal")
        try FileManager.default.copyItem(atPath: other.queue.path + "-wal", toPath: path + "-wal")

        let outcome = try await one.deliver(queue)

        // A complete log of another queue contains that queue's events. No line has parts of both.
        let mixed = outcome.lines.filter { one.lines[$0.key] != $0.value && other.lines[$0.key] != $0.value }
        #expect(mixed.isEmpty)
        let ledgers = outcome.ledgers
        #expect(ledgers.allSatisfy { $0.pending == 0 })
    }

    @Test func `an old log of the queue changes no payload`() async throws {
        let scene = try await StoredScene(events: 200, isKilled: true)
        let queue = try scene.queue.copy()
        let path = queue.path
        let log = try Data(contentsOf: URL(filePath: path + "-wal"))
        let first = try await scene.deliver(queue)
        scene.expectAccounted(first, "the first delivery")
        try log.write(to: URL(filePath: path + "-wal"))

        let transport = ScriptedTransport()
        let engine = DeliveryEngine()
        try await StoredScene.open(engine, queue, transport)
        let report = await engine.flush(timeout: .seconds(300))
        try await LedgerCheck.check(engine)

        #expect(report.isDrained)
        let wrong = StoredScene.lines(of: transport).filter { scene.lines[$0.key] != $0.value }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: ["-shm", "-journal"])
    func `a shared memory file or a rollback journal from elsewhere changes nothing`(suffix: String) async throws {
        let scene = try await StoredScene(events: 200, isKilled: false)
        let queue = try scene.queue.copy()
        let journal = try TemporaryQueue.hotJournal()
        try journal.write(to: URL(filePath: queue.path + suffix))

        let outcome = try await scene.deliver(queue)

        scene.expectAccounted(outcome, "a stray \(suffix)")
        #expect(outcome.lost == 0 && !outcome.isDecisionLost)
    }

    @Test func `a queue of a newer version stays unchanged, and an older program delivers from memory`()
        async throws
    {
        let scene = try await StoredScene(events: 50, isKilled: false)
        let queue = try scene.queue.copy()
        let path = queue.path
        try queue.execute("PRAGMA user_version = 99")
        let bytes = try Data(contentsOf: URL(filePath: path))
        let transport = ScriptedTransport()
        let engine = DeliveryEngine()
        var diagnostics = engine.diagnostics().makeAsyncIterator()

        try await StoredScene.open(engine, queue, transport)
        let news = await diagnostics.next()
        engine.lane(StoredScene.lanes[0]).track("fresh", parameters: [:])
        let report = await engine.flush(timeout: .seconds(300))
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)

        #expect(news == .storageFailed(.newerVersion(99)))
        #expect(report.isDrained)
        #expect(StoredScene.lines(of: transport).count == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        // The newer program finds all events.
        let newer = try SQLiteConnection(path: path)
        try newer.execute("PRAGMA user_version = \(SQLiteSchema.version)")
        newer.close()
        let outcome = try await scene.deliver(queue)
        #expect(outcome.delivered == 50)
    }

    @Test func `a queue with another program's application id is moved aside completely`() async throws {
        let scene = try await StoredScene(events: 50, isKilled: false)
        let queue = try scene.queue.copy()
        let path = queue.path
        let connection = try SQLiteConnection(path: path)
        try connection.execute("PRAGMA application_id = 7")
        connection.close()
        let size = TemporaryQueue.size(path)

        let outcome = try await scene.deliver(queue)

        scene.expectAccounted(outcome, "another program's application id")
        let aside = try #require(queue.files.first { $0.hasPrefix("corrupt-") })
        #expect(TemporaryQueue.size("\(queue.url.path)/\(aside)/\(URL(filePath: path).lastPathComponent)") == size)
    }
}

extension TemporaryQueue {
    /// Returns the journal of a program killed in a transaction of another database.
    static func hotJournal() throws -> Data {
        let queue = try TemporaryQueue()
        let path = queue.url.appending(path: "other.db").path
        try Data().write(to: URL(filePath: path))
        let connection = try SQLiteConnection(path: path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(20000))")
        try connection.execute("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN; UPDATE t SET a = zeroblob(40000)")
        defer { connection.close() }
        return try Data(contentsOf: URL(filePath: path + "-journal"))
    }
}
