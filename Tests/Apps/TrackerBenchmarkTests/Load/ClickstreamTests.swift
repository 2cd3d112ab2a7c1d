import Foundation
import Testing

@testable import TrackerBenchmark

@Suite struct ClickstreamTests {
    @Test func `made-up rows have all columns and mostly views`() {
        let rows = (0..<100).map(Clickstream.made)

        #expect(rows.allSatisfy { $0.hasSuffix("\n") && $0.split(separator: ",").count == 9 })
        #expect(rows.count { $0.contains(",view,") } == 70)
        #expect(Set(rows.map { $0.split(separator: ",").last }).count == 5)
    }

    @Test func `the rows of a file are repeated under its header`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "source").path, folder.appending(path: "target").path)
        try "columns\none\ntwo\n".write(toFile: source, atomically: true, encoding: .utf8)

        try Clickstream.write(rows: 3, to: target, from: source)

        #expect(try String(contentsOfFile: target, encoding: .utf8) == "columns\none\ntwo\none\n")
    }
}
