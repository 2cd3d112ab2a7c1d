import CLibrary
import Testing

@testable import LoopbackCollector

/// A blocking client that sends and receives raw bytes, so tests control the exact wire format.
final class RawClient {
    private let socket: SocketHandle
    private var buffer: [UInt8] = []

    /// Opens an unconnected socket.
    static func opened() -> SocketHandle {
        #if canImport(Glibc)
        SocketHandle(descriptor: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #else
        SocketHandle(descriptor: Darwin.socket(AF_INET, SOCK_STREAM, 0))
        #endif
    }

    init(_ collector: LoopbackCollector, over socket: SocketHandle = RawClient.opened()) throws {
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = collector.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = socket.descriptor
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit {
        socket.end()
    }

    /// Sends a text unchanged.
    func send(_ text: String) {
        _ = socket.send(Array(text.utf8))
    }

    /// Sends a POST request with a text body.
    func post(_ path: String, _ body: String, headers: String = "") {
        send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Sends a POST request with a body.
    func post(_ path: String, bytes: [UInt8], headers: String = "") {
        send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: \(bytes.count)\r\n\r\n")
        _ = socket.send(bytes)
    }

    /// Shuts down the writing direction.
    func endWriting() {
        socket.shutDownWriting()
    }

    /// Reads until an ending.
    ///
    /// Returns the text with the ending, or `nil` if the connection ends first.
    func read(until ending: String) -> String? {
        while !text.contains(ending) {
            guard fill() else { return nil }
        }
        let end = text.range(of: ending)
        let response = String(text[..<end])
        buffer.removeFirst(response.utf8.count)
        return response
    }

    /// Reads until the collector closes the connection.
    func readToEnd() -> String {
        while fill() {}
        return text
    }

    /// Reads until a number of bytes was received, and returns the number.
    func read(atLeast count: Int) -> Int {
        while buffer.count < count, fill() {}
        return buffer.count
    }

    private var text: String { String(decoding: buffer, as: UTF8.self) }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = socket.receive(into: &chunk, in: chunk.indices)
        buffer += chunk[..<count]
        return count > 0
    }
}

extension String {
    fileprivate func range(of part: String) -> Index {
        var start = startIndex
        while start < endIndex, !self[start...].hasPrefix(part) { start = index(after: start) }
        return index(start, offsetBy: part.count, limitedBy: endIndex) ?? endIndex
    }
}
