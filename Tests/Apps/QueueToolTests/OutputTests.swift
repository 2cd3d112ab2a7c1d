import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import QueueTool

/// Tests of texts from files in the tool's output.
@Suite(.timeLimit(.minutes(5))) struct OutputTests {
    /// Colors in both encodings of CSI, a line break, and text from right to left.
    private static let hostile = "\u{1B}[31m\u{9B}31m\r\n\u{202E}ü"

    @Test(arguments: [
        ["list"], ["why"], ["tail", "--body"], ["quarantine", "--body"], ["export"], ["verify"], ["purge"],
        ["quarantine", "retry", "--all"], ["explain", "--body"],
    ])
    func `no control character of a file reaches the output`(verb: [String]) async throws {
        let lane = LaneID(product: "T", service: "li\(Self.hostile)nes")
        let scene = try QueueScene(lane: lane)
        let id = try await scene.run(["bad\(Self.hostile)"]) { _, _ in
            .respond(HTTPResponse(status: 400, body: Array("no\(Self.hostile)".utf8)))
        }.ids[0]
        try await scene.run(["late\(Self.hostile)"]) { _, _ in
            .respond(HTTPResponse(status: 401, body: Array("who\(Self.hostile)".utf8)))
        }
        let corrupt = scene.queue.url.appending(path: "corrupt-\(Self.hostile)")
        try FileManager.default.createDirectory(at: corrupt, withIntermediateDirectories: true)
        var words = [scene.path] + verb
        if verb[0] == "explain" { words.append("\(id)") }
        if verb[0] == "purge" { words.append("\(lane)") }

        let run = try await ToolRun(words)
        let json = try await ToolRun(words + ["--json"])

        for text in run.lines + json.lines + [run.errors, json.errors] {
            let found = text.unicodeScalars.filter {
                [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
            }
            #expect(found.isEmpty, "\(found.map { $0.escaped(asASCII: true) }) in \(text.debugDescription)")
        }
        #expect(run.code < 2 && json.code == run.code, "\(run.errors)")
        #expect(run.lines.count + json.lines.count >= 2)
        for line in json.lines {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
            #expect(Self.texts(in: value).contains { $0.contains(Self.hostile) }, "\(line)")
        }
    }

    @Test(arguments: ["{\"a\":\u{1B}}", "{\"a\":1}\n{\"b\":2}", "{\"a\":\"\u{9B}\"", "{\"a\":\"\n\"}"])
    func `a body that is not one line of JSON is exported as text`(body: String) throws {
        let event = StoredEvent(
            id: EventID(high: 1, low: 2),
            lane: LaneID(product: "T", service: "lines"),
            number: nil,
            stored: nil,
            state: .awaitingConsent,
            fragment: Array(body.utf8)[...]
        )
        var json = JSONWriter()

        event.write(to: &json, body: true)

        let line = json.bytes.printableJSON
        let value = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        #expect(value?["body"] as? String == body)
        #expect(!line.contains { $0 < 0x20 })
    }

    private static func texts(in value: Any) -> [String] {
        switch value {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(texts)
        case let members as [String: Any]: members.flatMap { [$0.key] + texts(in: $0.value) }
        default: []
        }
    }
}
