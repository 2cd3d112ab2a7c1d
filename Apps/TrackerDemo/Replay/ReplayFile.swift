import Foundation

/// A clickstream file that is read row by row.
struct ReplayFile {
    /// A row of the file.
    enum Entry: Equatable {
        case row(ReplayRow)
        /// A row that cannot be replayed, with its line number from 1.
        case malformed(line: Int, reason: String)
    }

    private var reader: LineReader
    private let header: ReplayHeader
    private var line = 1

    /// Opens a file and reads its header.
    init(path: String) throws(DemoError) {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: path) else {
            throw DemoError("no such file: \(path)", code: .noInput)
        }
        guard (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true else {
            throw DemoError("cannot read \(path): it is a directory", code: .noInput)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DemoError("cannot read \(path): permission denied", code: .noInput)
        }
        do throws(DemoError) {
            try self.init(LineReader(handle))
        } catch {
            throw DemoError("\(path): \(error.message)", code: error.code)
        }
    }

    /// Reads the header.
    init(_ reader: LineReader) throws(DemoError) {
        self.reader = reader
        let first: LineReader.Line?
        do {
            first = try self.reader.next()
        } catch {
            throw DemoError("it cannot be read", code: .noInput)
        }
        switch first {
        case .bytes(let line): header = try ReplayHeader(line)
        case .tooLong: throw DemoError("the first line is no header", code: .badData)
        case nil: throw DemoError("the file is empty", code: .badData)
        }
    }

    /// Returns the next row, or `nil` at the end.
    ///
    /// Skips empty lines.
    mutating func next() throws -> Entry? {
        while let text = try reader.next() {
            line += 1
            switch text {
            case .bytes([]): continue
            case .bytes(let bytes): return entry(bytes)
            case .tooLong: return .malformed(line: line, reason: "longer than \(LineReader.maximumBytes) bytes")
            }
        }
        return nil
    }

    private func entry(_ bytes: [UInt8]) -> Entry {
        do throws(MalformedRow) {
            return .row(try ReplayRow(bytes, header: header))
        } catch {
            return .malformed(line: line, reason: error.reason)
        }
    }
}
