import Foundation

/// A clickstream file, read row by row.
struct ReplayFile {
    /// A row of the file.
    enum Entry: Equatable {
        case row(ReplayRow)
        /// A malformed row, with its line number from 1.
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
        case .tooLong: throw DemoError("the first line is not a header", code: .badData)
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

/// A reader that splits a file into lines in constant memory.
///
/// A line ends with LF, CRLF or the end of the file.
struct LineReader {
    /// One line.
    enum Line: Equatable {
        /// The line's bytes, without its terminator.
        case bytes([UInt8])
        /// A line of more than ``maximumBytes``, which was skipped.
        case tooLong
    }

    /// The maximum length of a line in bytes.
    static let maximumBytes = 65_536

    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// Creates a reader of the chunks returned by a closure.
    ///
    /// An empty chunk marks the end.
    init(reading read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// Creates a reader of a file or a pipe.
    ///
    /// A pipe's lines are returned as soon as they are written.
    init(_ handle: FileHandle) {
        self.init { try readChunk(of: handle.fileDescriptor, upTo: LineReader.maximumBytes) }
    }

    /// Returns the next line, or `nil` at the end.
    mutating func next() throws -> Line? {
        var isTooLong = false
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return isTooLong ? .tooLong : line(upTo: end)
            }
            if isAtEnd {
                guard position < buffer.count || isTooLong else { return nil }
                defer { position = buffer.count }
                return isTooLong ? .tooLong : line(upTo: buffer.count)
            }
            if buffer.count - position > LineReader.maximumBytes {
                isTooLong = true
                position = buffer.count
            }
            try fill()
        }
    }

    private mutating func fill() throws {
        buffer.removeFirst(position)
        position = 0
        let bytes = try read()
        if bytes.isEmpty { isAtEnd = true } else { buffer += bytes }
    }

    private func line(upTo end: Int) -> Line {
        guard end - position <= LineReader.maximumBytes else { return .tooLong }
        let hasReturn = end > position && buffer[end - 1] == UInt8(ascii: "\r")
        return .bytes(Array(buffer[position..<(hasReturn ? end - 1 : end)]))
    }
}

/// Reads the available bytes.
///
/// `FileHandle.read(upToCount:)` would wait for all of the requested bytes.
private func readChunk(of descriptor: Int32, upTo count: Int) throws -> [UInt8] {
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        result = unsafe read(descriptor, buffer.baseAddress, count)
        initialized = max(0, result)
    }
    guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    return bytes
}
