import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct InterruptionTests {
    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends the reading, and the events that were read are delivered`(
        _ signal: Int32
    ) async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let pipe = try folder.makePipe("clicks.csv")
        let demo = try InterruptionTests.start(["--replay", folder.path("clicks.csv"), "--json"])
        var lines = demo.lines.makeAsyncIterator()

        try pipe.write(contentsOf: Data((Clickstream.text(rows: 10) + "broken\n").utf8))
        while let line = await lines.next(), !line.contains("is skipped") {}
        demo.send(signal: signal)
        while let line = await lines.next(), !line.contains("stopping") {}
        // The demo has inherited the pipe and sees no end of it. One more row makes it check for the signal.
        try pipe.write(contentsOf: Data("broken\n".utf8))
        try pipe.close()
        var rest: [String] = []
        while let line = await lines.next() { rest.append(line) }

        let summary = try JSONDecoder().decode(DemoSummary.self, from: Data((rest.last ?? "").utf8))
        #expect(await demo.ended() == .code(128 + signal))
        #expect(summary.rows - summary.malformed == 10)
        #expect(summary.total(\.delivered) == 20 && summary.collector == ["firebase": 10, "awesomeTracking": 10])
        #expect(rest.contains("ended early by a signal"))
    }

    @Test func `a second signal ends the process at once`() async throws {
        let folder = try Folder()
        defer { folder.remove() }
        let pipe = try folder.makePipe("clicks.csv")
        defer { try? pipe.close() }
        let demo = try InterruptionTests.start(["--replay", folder.path("clicks.csv")])
        var lines = demo.lines.makeAsyncIterator()

        try pipe.write(contentsOf: Data((Clickstream.text(rows: 1) + "broken\n").utf8))
        while let line = await lines.next(), !line.contains("is skipped") {}
        demo.send(signal: SIGINT)
        while let line = await lines.next(), !line.contains("stopping") {}
        demo.send(signal: SIGTERM)

        #expect(await demo.ended() == .code(128 + SIGTERM))
    }

    /// Starts the demo with stderr in stdout, to wait for both.
    private static func start(_ arguments: [String]) throws -> ChildProcess {
        let words = [try DemoRun.binary.path] + arguments
        return try ChildProcess(
            executable: URL(filePath: "/bin/sh"),
            arguments: ["-c", "exec \"$0\" \"$@\" 2>&1"] + words
        )
    }
}
