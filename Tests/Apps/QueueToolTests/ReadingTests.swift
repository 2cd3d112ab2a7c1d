import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import QueueTool

/// Tests of the verbs that read a queue.
@Suite(.timeLimit(.minutes(5))) struct ReadingTests {
    @Test func `list shows each lane's ledger`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "bad", "b"], script: QueueScene.refusing("bad"))

        let run = try await ToolRun([scene.path])

        #expect(run.code == 0 && run.errors == "")
        #expect(run.lines.first?.hasPrefix("\(scene.path): 1 file, ") == true)
        #expect(run.lines.first?.hasSuffix(", not in use") == true)
        #expect(
            run.lines.dropFirst() == [
                "lane     accepted  delivered  pending  awaiting consent  quarantined  dropped  waits for",
                "T/lines         3          2        0                 0            1        0  –",
            ]
        )
    }

    @Test func `why names cause, wait, batch and last failure`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "b"], script: QueueScene.closed)

        let run = try await ToolRun([scene.path, "why"])

        #expect(run.code == 1)
        #expect(run.lines.first?.hasPrefix("T/lines: 2 pending, ") == true)
        let cause = try #require(run.lines.first { $0.hasPrefix("  cause    paused since ") })
        #expect(cause.contains(" UTC by status 401 in an earlier run: correct the credentials"))
        #expect(run.lines.contains { $0.hasPrefix("  waits    paused, with occasional attempts; ") })
        #expect(run.lines.contains { $0.hasPrefix("  next     batch ") && $0.contains("without an acknowledgement") })
        #expect(run.lines.contains { $0.hasPrefix("  last     ") && $0.contains("status 401, credentials; never") })
    }

    @Test(arguments: ["list", "why", "verify"])
    func `a directory that an engine refuses is named with the file and its trait, with status 1`(verb: String)
        async throws
    {
        let scene = try QueueScene()
        try await scene.run(["a"], script: QueueScene.closed)
        #expect(unsafe chmod(scene.queue.path, 0o666) == 0)

        let run = try await ToolRun([scene.path, verb])

        let sentence = "an engine refuses \(scene.queue.path): the directory cannot be trusted: other users can write"
        #expect(run.code == 1)
        #expect(run.lines.count { $0.contains(sentence) } == 1, "\(run.lines)")
        #expect(run.lines.contains("  waits    for the directory, which an engine refuses") == (verb == "why"))
        #expect(!run.lines.contains { $0.contains("tries again") || $0.contains("the next start sends") })
    }

    @Test func `files that a group can write to are no problem`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"])
        for name in scene.queue.files { #expect(unsafe chmod("\(scene.path)/\(name)", 0o660) == 0) }

        let run = try await ToolRun([scene.path, "why"])

        #expect(run.code == 0 && run.lines == ["\(scene.path): no lane has a problem"])
        #expect(try scene.state().values.allSatisfy { $0[1] == "\(0o660)" })
    }

    @Test func `why names a failure of the ended process as an earlier one`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"], timeout: .milliseconds(500), script: { _, _ in .fail(.connectionRefused) })

        let run = try await ToolRun([scene.path, "why"])

        #expect(run.code == 1)
        let cause = run.lines.first { $0.hasPrefix("  cause    in an earlier run, ") }
        #expect(cause?.contains("refused the connection") == true, "\(run.lines)")
    }

    @Test func `why reports nothing if nothing is wrong`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"])

        let run = try await ToolRun([scene.path, "why"])

        #expect(run.code == 0 && run.lines == ["\(scene.path): no lane has a problem"])
    }

    @Test func `tail shows the last events with their names and states, and follows no further without -f`()
        async throws
    {
        let scene = try QueueScene()
        let ids = try await scene.run(["a", "b", "c", "d"], script: QueueScene.closed).ids

        let run = try await ToolRun([scene.path, "tail", "T/lines", "-n", "2"])

        #expect(run.lines.count == 2)
        for (line, id, name) in [(run.lines.first, ids[2], "c"), (run.lines.last, ids[3], "d")] {
            #expect(
                line?.contains("  \(id)  \(name)  ") == true && line?.contains("  queued") == true,
                "\(run.lines)"
            )
        }
        #expect(!run.lines.joined().contains("props"))
    }

    @Test func `explain prints where an event is, or that it is unknown`() async throws {
        let scene = try QueueScene()
        let ids = try await scene.run(["a", "bad"], script: QueueScene.refusing("bad")).ids

        let refused = try await ToolRun([scene.path, "explain", "\(ids[1])"])
        let gone = try await ToolRun([scene.path, "explain", "\(ids[0])"])

        #expect(refused.code == 0)
        #expect(refused.lines.first == "bad, T/lines")
        #expect(refused.lines.contains { $0.hasSuffix("  quarantined: status 400") })
        #expect(refused.lines.contains { $0.hasPrefix("  response  ") && $0.hasSuffix(#"no bad\n"#) })
        #expect(refused.lines.last?.hasSuffix("quarantine retry \(ids[1]), or discard") == true)
        #expect(gone.code == 1 && gone.lines == [])
        #expect(gone.errors.hasPrefix("\(ids[0]): the queue has no such event"))
    }

    @Test func `explain prints JSON with the keys of the page for coding agents`() async throws {
        let scene = try QueueScene()
        let ids = try await scene.run(["a", "b"], script: QueueScene.refusing("b")).ids
        let closed = try QueueScene()
        let waiting = try await closed.run(["c"], script: QueueScene.closed).ids[0]

        let refused = try await ToolRun([scene.path, "explain", "\(ids[1])", "--json"])
        let queued = try await ToolRun([closed.path, "explain", "\(waiting)", "--json", "--body"])

        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Modules/Guide.docc/ForCodingAgents.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "## Explain an event").last ?? ""
        let keys = Set(rows.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) })
        let found = try [refused, queued].map { run in
            try #require(JSONSerialization.jsonObject(with: Data(run.lines.joined().utf8)) as? [String: Any])
        }
        #expect(Set(found.flatMap(\.keys)) == keys)
        #expect(found[0]["state"] as? String == "quarantined" && found[0]["reason"] as? String == "status 400")
        #expect(found[1]["state"] as? String == "queued")
        #expect((found[1]["cause"] as? String)?.isEmpty == false)
    }

    @Test func `explain reports that an event waits for consent`() async throws {
        let scene = try QueueScene()
        let ids = try await scene.run(["a"], consent: .unknown).ids

        let explained = try await ToolRun([scene.path, "explain", "\(ids[0])"])
        let listed = try await ToolRun([scene.path])
        let why = try await ToolRun([scene.path, "why"])
        let purged = try await ToolRun([scene.path, "purge", "T/lines"])

        #expect(explained.lines.first == "a, T/lines, sequence number 1")
        #expect(explained.lines.last?.contains("waits for consent to analytics: 1 event is kept") == true)
        #expect(why.lines.first?.hasPrefix("T/lines: 1 pending, of which 1 awaiting consent, ") == true, "\(why.lines)")
        #expect(why.lines.contains("  waits    for consent to analytics"))
        #expect(
            purged.lines.first?.hasPrefix(
                "would delete 1 pending, of which 1 awaiting consent, and 0 quarantined events"
            ) == true
        )
        #expect(
            listed.lines.last
                == "T/lines         1          0        1                 1            0        0  consent to analytics"
        )
    }

    @Test func `export writes each event with the bytes to send`() async throws {
        let scene = try QueueScene()
        let sent = try await scene.run(["a", "b"], script: QueueScene.refusing("b")).sent

        let all = try await ToolRun([scene.path, "export"])
        let none = try await ToolRun([scene.path, "export", "--state", "awaiting-consent"])

        let line = try #require(all.lines.first)
        let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let body = try #require(sent.first { $0.contains("\"name\":\"b\"") })
        #expect(all.lines.count == 1 && none.lines.isEmpty)
        #expect(fields?["state"] as? String == "quarantined" && fields?["reason"] as? String == "status 400")
        #expect(line.hasSuffix(",\"body\":\(body)}"))
    }

    @Test func `verify finds a flipped bit, and reports the other events as valid`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a", "b", "c"], script: QueueScene.closed)
        let sound = try await ToolRun([scene.path, "verify"])
        let file = scene.queue.path
        var bytes = try Data(contentsOf: URL(filePath: file))
        let place = try #require(bytes.range(of: Data("\"name\":\"b\"".utf8)))
        bytes[place.lowerBound + 8] ^= 1
        try bytes.write(to: URL(filePath: file))

        let found = try await ToolRun([scene.path, "verify"])

        #expect(sound.code == 0)
        #expect(sound.lines.first == "records   3 of 3 valid")
        #expect(sound.lines.last == "ledger    accepted = delivered + pending + quarantined + dropped in 1 of 1 lane")
        #expect(found.code == 1 && found.lines.first == "records   2 of 3 valid")
        #expect(found.lines.contains { $0.hasSuffix("T/lines: 1 record damaged or missing") })
    }

    @Test func `a damaged file is reported, with the events that can be recovered`() async throws {
        let scene = try QueueScene()
        try await scene.run(["a"], script: QueueScene.closed)
        let file = URL(filePath: scene.queue.path)
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(18..<22, with: [9, 9, 9, 9])
        try bytes.write(to: file)

        let verified = try await ToolRun([scene.path, "verify"])
        let listed = try await ToolRun([scene.path])

        #expect(verified.code == 1 && verified.lines.last?.contains("finding   ") == true)
        #expect(listed.code == 0 && listed.errors.contains(": damaged: "))
    }

    @Test(arguments: [["why"], ["quarantine"], ["export"]])
    func `a queue that cannot be read is a finding of each verb that looks for one`(verb: [String]) async throws {
        let scene = try QueueScene()
        try await scene.run(["a"])
        try Data("no queue\n".utf8).write(to: URL(filePath: scene.queue.path))

        let run = try await ToolRun([scene.path] + verb)

        #expect(run.code == 1 && run.lines == [], "\(run)")
        #expect(run.errors.split(separator: "\n").count == 1 && run.errors.hasPrefix("queue.db: "), "\(run)")
    }

    @Test func `export of a cut or changed queue reports that events are missing`() async throws {
        let scene = try QueueScene()
        try await scene.run((0..<30).map { "event \($0)" }, script: QueueScene.closed)
        let file = URL(filePath: scene.queue.path)
        let sound = try Data(contentsOf: file)
        var changed = sound
        let place = try #require(changed.range(of: Data("\"name\":\"event 7\"".utf8)))
        changed[place.lowerBound + 8] ^= 1

        let whole = try await ToolRun([scene.path, "export"])
        try sound.prefix(sound.count / 2).write(to: file)
        let cut = try await ToolRun([scene.path, "export"])
        try changed.write(to: file)
        let flipped = try await ToolRun([scene.path, "export"])

        #expect(whole.code == 0 && whole.lines.count == 30)
        #expect(cut.code == 1 && cut.lines.count < 30 && cut.errors.contains("damaged"), "\(cut)")
        #expect(flipped.code == 1 && flipped.lines.count == 29, "\(flipped)")
        #expect(flipped.errors.contains("1 event is damaged; use verify to see the damage"), "\(flipped)")
    }

    @Test(arguments: [
        ["why", "T/nope"], ["tail", "T/nope"], ["export", "T/nope"], ["quarantine", "--lane", "T/nope"],
    ])
    func `a lane that does not exist is an error that names the others`(verb: [String]) async throws {
        let scene = try QueueScene()
        try await scene.run(["a"])

        let run = try await ToolRun([scene.path] + verb)

        #expect(run.code == 1 && run.lines == [])
        #expect(run.errors.hasSuffix(" has no lane T/nope; its lanes are T/lines\n"), "\(run)")
    }

    @Test(arguments: [
        (["/nowhere/at/all"], 66, "/nowhere/at/all: No such file or directory"),
        (["/dev"], 66, "/dev: there is no queue"),
        (["/dev/null"], 66, "/dev/null: "), ([], 64, "the queue's directory is missing"),
    ]) func `without a queue, the tool prints one line and ends with an error code`(
        words: [String],
        code: Int32,
        message: String
    ) async throws {
        let run = try await ToolRun(words)

        #expect(run.code == code && run.lines == [])
        #expect(run.errors.hasPrefix("queue: \(message)") && run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["list"], ["why"], ["tail"], ["quarantine"], ["export"], ["verify"], ["purge", "T/lines"],
        ["quarantine", "retry", "--all"], ["explain", "018f3a1e-7c2b-7abc-8def-0123456789ab"],
    ])
    func `without --yes no byte changes, regardless of the path, the modes and the state of the queue`(verb: [String])
        async throws
    {
        let scene = try QueueScene()
        try await scene.run(["a", "bad", "b"], script: QueueScene.refusing("bad"))
        try await scene.run(["c"], script: QueueScene.closed)
        let file = scene.queue.path
        // A copy from a phone or from another user can have such a mode, and a path can be a link.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        let link = scene.queue.url.deletingLastPathComponent().appending(path: "link-\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scene.queue.url)
        defer { try? FileManager.default.removeItem(at: link) }
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scene.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path) }
        let before = try scene.state()

        let run = try await ToolRun([link.path] + verb)
        let json = try await ToolRun([link.path] + verb + ["--json"])

        #expect(try scene.state() == before)
        #expect(run.code < 2 && json.code == run.code, "\(run.errors)")
        #expect(!run.lines.joined().contains("\u{1B}") && !run.errors.contains("\u{1B}"))
        #expect(json.lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) != nil })
    }
}
