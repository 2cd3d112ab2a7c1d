import Testing

@testable import TrackerDemo

@Suite struct ReplayFileTests {
    private static let header = "event_time,event_type,product_id,price,user_id,user_session"

    @Test func `rows and malformed rows come in the order of their lines`() throws {
        let good = "2019-10-01 00:00:00 UTC,view,1,2.5,u,s"
        let text = [ReplayFileTests.header, good, "", "broken", good, "\"\(good)", good].joined(separator: "\r\n")
        var file = try ReplayFile(LineReader(text: text))

        var malformed: [Int] = []
        var rows = 0
        while let entry = try file.next() {
            if case .malformed(let line, _) = entry { malformed.append(line) } else { rows += 1 }
        }

        #expect(rows == 3)
        #expect(malformed == [4, 6])
    }

    @Test func `a file that is missing, empty or a directory is refused`() {
        let missing = #expect(throws: DemoError.self) { try ReplayFile(path: "/nowhere/at/all.csv") }
        let directory = #expect(throws: DemoError.self) { try ReplayFile(path: "/") }
        let empty = #expect(throws: DemoError.self) { try ReplayFile(LineReader(text: "")) }

        #expect(missing?.code == .noInput)
        #expect(directory?.code == .noInput)
        #expect(empty?.code == .badData)
    }
}
