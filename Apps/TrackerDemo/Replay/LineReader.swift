import Foundation

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

    /// Creates a reader of the chunks that a closure returns.
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

/// Reads the bytes that are available.
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
