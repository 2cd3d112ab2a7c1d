/// A reader of the requests of one connection, with size limits and a reused buffer.
struct RequestReader {
    /// A reason that there is no request.
    enum Failure: Error, Hashable {
        /// The peer or the script ended the connection.
        case ended
        /// The script resets the connection.
        case reset
        /// The bytes are not an accepted request.
        ///
        /// The response has this status.
        case malformed(status: Int)
    }

    /// The maximum size of a head, in bytes.
    static let maximumHead = 64 * 1024

    private let connection: ConnectionSocket
    private let maximumBody: Int
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    private var unread = 0..<0

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - maximumBody: The maximum size of a body, in bytes, both as received and decompressed.
    init(_ connection: ConnectionSocket, maximumBody: Int) {
        self.connection = connection
        self.maximumBody = maximumBody
    }

    /// Reads the next head.
    mutating func head(connection number: Int, ordinal: Int) throws(Failure) -> CollectedHead {
        var bytes: [UInt8] = []
        while true {
            while let byte = next() {
                bytes.append(byte)
                guard bytes.count <= RequestReader.maximumHead else { throw .malformed(status: 431) }
                guard byte == UInt8(ascii: "\n"), bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
                guard let head = CollectedHead(bytes.dropLast(4), connection: number, ordinal: ordinal) else {
                    throw .malformed(status: 400)
                }
                return head
            }
            try fill()
        }
    }

    /// Reads the body announced by a head, in the way selected by the script.
    mutating func body(of head: CollectedHead, _ reception: CollectorReception) throws(Failure) -> [UInt8] {
        if let coding = head.headers["transfer-encoding"] {
            guard coding.lowercased() == "chunked" else { throw .malformed(status: 501) }
            return try chunkedBody(reception)
        }
        guard let text = head.headers["content-length"] else { return [] }
        guard let length = Int(text), length >= 0 else { throw .malformed(status: 400) }
        guard length <= maximumBody else { throw .malformed(status: 413) }
        return length == 0 ? [] : try bytes(length, after: 0, isLast: true, reception)
    }

    /// Decodes the body's content encoding.
    func decoded(_ body: [UInt8], of head: CollectedHead) throws(Failure) -> [UInt8] {
        guard let coding = head.headers["content-encoding"]?.lowercased(), coding != "identity" else { return body }
        guard coding == "gzip" else { throw .malformed(status: 415) }
        guard let unpacked = GzipStream.inflate(body, limit: maximumBody) else { throw .malformed(status: 400) }
        return unpacked
    }

    private mutating func chunkedBody(_ reception: CollectorReception) throws(Failure) -> [UInt8] {
        // A fault before the first byte of the body also precedes the size of the first chunk.
        var body = try bytes(0, after: 0, reception)
        while true {
            let line = try self.line()
            let digits = line.prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0 else {
                throw .malformed(status: 400)
            }
            guard size <= maximumBody - body.count else { throw .malformed(status: 413) }
            body += try bytes(size, after: body.count, isLast: size == 0, reception)
            guard size > 0 else { break }
            guard try self.line().isEmpty else { throw .malformed(status: 400) }
        }
        while try !self.line().isEmpty {}
        return body
    }

    private mutating func line() throws(Failure) -> [UInt8] {
        var line: [UInt8] = []
        while line.count <= 1024 {
            guard let byte = next() else {
                try fill()
                continue
            }
            line.append(byte)
            if line.suffix(2).elementsEqual("\r\n".utf8) { return line.dropLast(2) }
        }
        throw .malformed(status: 400)
    }

    private mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while true {
            let part = unread.prefix(count - bytes.count)
            bytes += buffer[part]
            unread = part.endIndex..<unread.endIndex
            guard bytes.count < count else { return bytes }
            try fill()
        }
    }

    /// Reads the next bytes of a body in the way selected by the script.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - offset: The number of bytes of the body before them.
    ///   - isLast: Whether the body has no more bytes, so a fault at a later byte occurs now.
    ///   - reception: The way to read the body.
    /// - Returns: The bytes.
    private mutating func bytes(
        _ count: Int,
        after offset: Int,
        isLast: Bool = false,
        _ reception: CollectorReception
    ) throws(Failure) -> [UInt8] {
        switch reception {
        case .read: return try bytes(count)
        case .slowly(let step, let interval): return try trickledBytes(count, step: max(1, step), every: interval)
        case .close(let position), .reset(let position):
            let first = try bytes(min(max(0, position - offset), count))
            guard isLast || position <= offset + count else { return first }
            if case .reset = reception { throw .reset } else { throw .ended }
        case .hold(let hold, let position):
            let first = try bytes(min(max(0, position - offset), count))
            guard isLast || position <= offset + count else { return first }
            guard connection.wait(for: hold) else { throw .ended }
            return try first + bytes(count - first.count)
        }
    }

    private mutating func trickledBytes(_ count: Int, step: Int, every interval: Duration) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard connection.pause(interval) else { throw .ended }
            bytes += try self.bytes(min(step, count - bytes.count))
        }
        return bytes
    }

    private mutating func next() -> UInt8? {
        guard let index = unread.first else { return nil }
        unread = (index + 1)..<unread.endIndex
        return buffer[index]
    }

    private mutating func fill() throws(Failure) {
        let count = connection.socket.receive(into: &buffer, in: buffer.indices)
        guard count > 0 else { throw .ended }
        unread = 0..<count
    }
}
