import Foundation

/// The floor of a transport: one connection to a local port, with sequential requests.
final class HandWrittenClient {
    private let descriptor: Int32

    /// Connects.
    init(port: UInt16) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        guard code == 0 else { throw BenchmarkError("no connection to the collector") }
    }

    deinit {
        close(descriptor)
    }

    /// Posts a gzip body and waits for the response's header.
    ///
    /// The collector's responses have no body.
    func post(_ body: [UInt8]) throws {
        let head = """
            POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Encoding: gzip\r
            Content-Length: \(body.count)\r\n\r\n
            """
        // Use one write, because the system may delay a second one to fill a segment.
        try write(Array(head.utf8) + body)
        var answer: [UInt8] = []
        while !answer.suffix(4).elementsEqual([13, 10, 13, 10]) {
            var chunk = [UInt8](repeating: 0, count: 1_024)
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw BenchmarkError("the collector has closed the connection") }
            answer += chunk.prefix(count)
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, 0)
            }
            guard count > 0 else { throw BenchmarkError("the collector has closed the connection") }
            sent += count
        }
    }
}
