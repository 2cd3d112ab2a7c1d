import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import EventTracking
import Foundation
import Testing

@testable import QueueTool

/// Tests of the verbs that change a queue, and of queues in use.
@Suite(.timeLimit(.minutes(5))) struct ChangingTests {
    @Test func `a quarantined event is put back by its reason, and delivered by the next engine`() async throws {
        let scene = try QueueScene()
        let ids = try await scene.run(["a", "bad", "b"], script: QueueScene.refusing("bad")).ids
        let words = [scene.path, "quarantine", "retry", "--reason", "status"]

        let told = try await ToolRun(words)
        let done = try await ToolRun(words + ["--yes"])
        let again = try await ToolRun(words + ["--yes"])
        let verified = try await ToolRun([scene.path, "verify"])
        let sent = try await scene.run([]).sent

        let change = "1 event to the end of T/lines: quarantined 1 → 0, pending 0 → 1"
        #expect(told.lines == ["would move \(change); use --yes to do it"] && told.code == 0)
        #expect(done.lines == ["moved \(change)"] && done.code == 0)
        #expect(again.lines == ["no quarantined event matches; nothing was changed"] && again.code == 1)
        #expect(verified.code == 0, "\(verified.lines)")
        #expect(sent.count == 1 && sent.first?.contains("\(ids[1])") == true)
    }

    @Test func `retry finds an event by either part of its reason`() async throws {
        let scene = try QueueScene()
        let reasons = try await scene.run(["bad"], script: { _, _ in .respond(HTTPResponse(status: 413)) }).reasons

        var codes: [Int32] = []
        for reason in reasons + ["too large", "status 422", "large", "413"] {
            codes.append(try await ToolRun([scene.path, "quarantine", "retry", "--reason", reason]).code)
        }

        #expect(reasons == ["status 413"] && codes == [0, 0, 1, 1, 1])
    }

    @Test func `quarantine lists events, and discards the named ones`() async throws {
        let scene = try QueueScene()
        let ids = try await scene.run(["a", "bad", "b"], script: QueueScene.refusing("bad")).ids

        let listed = try await ToolRun([scene.path, "quarantine"])
        let other = try await ToolRun([scene.path, "quarantine", "discard", "\(ids[0])", "--yes"])
        let missing = try await ToolRun([scene.path, "quarantine", "\(ids[0])"])
        let both = [scene.path, "quarantine", "discard", "\(ids[0])", "\(ids[1])", "--yes"]
        let discarded = try await ToolRun(both)
        let after = try await ToolRun([scene.path])

        #expect(listed.code == 1 && listed.lines.first?.hasPrefix("\(ids[1])  T/lines  bad, refused ") == true)
        #expect(listed.lines.last == #"  response  no bad\n"#)
        #expect(other.code == 1 && missing.code == 1 && discarded.code == 1)
        #expect(missing.errors == "1 of the ids is of no quarantined event\n" && discarded.errors == missing.errors)
        #expect(discarded.lines == ["discarded 1 event of T/lines: quarantined 1 → 0"])
        #expect(
            after.lines.last?.hasPrefix("T/lines         3          2        0                 0            0        1")
                == true
        )
    }

    @Test func `a purge needs the lane's name, deletes every byte and counts it`() async throws {
        let scene = try QueueScene()
        // More segments than one transaction deletes.
        let names = ["sweet", "sour"] + Array(repeating: "bland", count: 68)
        try await scene.run(names, script: QueueScene.closed)

        let told = try await ToolRun([scene.path, "purge", "T/lines"])
        let done = try await ToolRun([scene.path, "purge", "T/lines", "--yes=T/lines"])
        let after = try await ToolRun([scene.path, "why", "T/lines"])

        #expect(
            told.lines.first?.hasPrefix("would delete 70 pending and 0 quarantined events of T/lines (") == true
        )
        #expect(told.lines.first?.hasSuffix("; use --yes=T/lines to do it") == true)
        #expect(done.code == 0 && done.lines.first?.hasPrefix("deleted 70 pending") == true)
        #expect(after.lines.contains("  dropped  70 discarded"))
        let left = try scene.state().values.filter { $0.joined().contains("sweet") || $0.joined().contains("sour") }
        #expect(left.isEmpty)
    }

    @Test func `a purge counts no event that a denial has counted`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "b"], script: QueueScene.closed)
        let file = try SQLiteOutbox(path: scene.queue.path)
        var lane = try #require(try file.lanes().first)
        (lane.start, lane.counts) = (lane.nextNumber, LaneCounts())
        lane.ledger.drop(2, .consentDenied)
        var change = OutboxChange()
        change.save(lanes: [lane])
        try file.commit(change, barrier: true)
        file.close()

        let done = try await ToolRun([scene.path, "purge", "T/lines", "--yes=T/lines"])
        let after = try await ToolRun([scene.path])

        #expect(done.code == 0, "\(done.errors)")
        #expect(
            after.lines.last?.hasPrefix("T/lines         2          0        0                 0            0        2")
                == true,
            "\(after.lines)"
        )
    }

    @Test func `a queue in use is read beside its owner, and not changed`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "bad"], script: QueueScene.refusing("bad"))
        let owner = DeliveryEngine()
        try await owner.open(
            DeliveryConfiguration(
                directory: scene.queue.url,
                destinations: [scene.destination],
                transport: ScriptedTransport()
            )
        )

        let listed = try await ToolRun([scene.path])
        let retried = try await ToolRun([scene.path, "quarantine", "retry", "--all", "--yes"])
        let purged = try await ToolRun([scene.path, "purge", "T/lines", "--yes=T/lines"])
        let quarantined = await owner.quarantine.events().count
        await owner.close(timeout: .seconds(60))

        #expect(listed.lines.first?.contains(", in use by process \(getpid()); as of ") == true)
        #expect(
            listed.lines.last?.hasPrefix(
                "T/lines         2          1        0                 0            1        0"
            )
                == true
        )
        for run in [retried, purged] {
            #expect(run.code == 75 && run.lines == [])
            #expect(run.errors.contains("in use by process \(getpid()), and only that process may change it"))
        }
        #expect(quarantined == 1)
    }

    @Test func `copies that are made while the owner writes are sound`() async throws {
        let queue = try TemporaryQueue()
        let owner = try ChildProcess(
            product: "DeliveryProducer",
            arguments: ["--queue", queue.url.path, "--endpoint", "http://127.0.0.1:9", "--count", "1000000"]
        )
        var lines = owner.lines.makeAsyncIterator()
        while let line = await lines.next(), !line.hasPrefix("R ") {}
        // A full pipe would stop the owner.
        let reading = Task { while await lines.next() != nil {} }

        for _ in 1...10 {
            let run = try await ToolRun([queue.url.path, "verify"])
            #expect(run.code == 0, "\(run.lines) \(run.errors)")
        }
        owner.send(signal: SIGKILL)
        await reading.value
        _ = await owner.ended()
        let before = try Data(contentsOf: URL(filePath: queue.path))
        let verified = try await ToolRun([queue.url.path, "verify"])

        #expect(verified.code == 0, "\(verified.lines)")
        #expect(try Data(contentsOf: URL(filePath: queue.path)) == before)
        #expect(!queue.files.contains { $0.hasSuffix("-shm") })
    }

    @Test func `another user's queue is read, and not changed`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "bad"], script: QueueScene.refusing("bad"))
        let file = scene.queue.path
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)

        let listed = try await ToolRun([scene.path, "quarantine"])
        let retried = try await ToolRun([scene.path, "quarantine", "retry", "--all", "--yes"])

        #expect(listed.lines.count == 2)
        #expect(retried.code == 77 && retried.errors.contains(": nothing was changed; change a copy"))
    }
}
