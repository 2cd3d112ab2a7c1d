import Foundation
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

@Suite struct LineReaderTests {
    @Test(arguments: [1, 2, 3, 7, 100]) func `lines are the same however the chunks are cut`(_ size: Int) throws {
        var reader = LineReader(text: "a,b\r\n\r\n\nlast", chunk: size)

        let lines = try reader.all()

        #expect(lines == ["a,b", "", "", "last"].map { .bytes(Array($0.utf8)) })
    }

    @Test func `a file that ends with a line end has no empty last line`() throws {
        var reader = LineReader(text: "a\nb\n", chunk: 3)

        let lines = try reader.all()

        #expect(lines.count == 2)
    }

    @Test func `a line beyond the limit is skipped and the next one read`() throws {
        let long = String(repeating: "x", count: LineReader.maximumBytes + 1)
        var reader = LineReader(text: "a\n\(long)\nb\n\(long)\(long)", chunk: 5_000)

        let lines = try reader.all()

        #expect(lines == [.bytes(Array("a".utf8)), .tooLong, .bytes(Array("b".utf8)), .tooLong])
    }

    @Test func `a line of exactly the limit is read`() throws {
        let line = String(repeating: "x", count: LineReader.maximumBytes)
        var reader = LineReader(text: line + "\n", chunk: 1_000)

        let lines = try reader.all()

        #expect(lines == [.bytes(Array(line.utf8))])
    }

    @Test func `an empty file has no lines`() throws {
        var reader = LineReader(text: "", chunk: 1)

        #expect(try reader.next() == nil)
    }
}

extension LineReader {
    /// Creates a reader of a text in chunks of a size.
    init(text: String, chunk: Int = 4_096) {
        var rest = Array(text.utf8)[...]
        self.init {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
    }

    fileprivate mutating func all() throws -> [Line] {
        var lines: [Line] = []
        while let line = try next() { lines.append(line) }
        return lines
    }
}

/// A generator of clickstreams in the REES46 columns.
enum Clickstream {
    /// Returns the text of a file.
    ///
    /// Every tenth row is a purchase; the others are views, cart additions and removals of users in turn.
    static func text(rows: Int) -> String {
        let header = "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"
        let lines = (0..<rows).map { row in
            let kind =
                ["purchase", "cart", "remove_from_cart"].indices.contains(row % 10)
                ? ["purchase", "cart", "remove_from_cart"][row % 10] : "view"
            let second = row % 60 < 10 ? "0\(row % 60)" : "\(row % 60)"
            let user = row % 7
            return
                "2019-10-01 00:00:\(second) UTC,\(kind),\(1000 + row),2053,apparel.shoes,,\(row).50,\(user),s-\(user)"
        }
        return ([header] + lines).joined(separator: "\n") + "\n"
    }
}
