import Foundation
import Testing

@testable import TrackerDemo

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
