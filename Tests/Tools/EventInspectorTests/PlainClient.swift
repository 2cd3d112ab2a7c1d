import CLibrary
import Testing

/// A client that sends one request on a new connection, with exactly the given header fields.
struct PlainClient {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    ///
    /// The default address is 127.0.0.1.
    init(port: UInt16, address host: UInt32 = 0x7F00_0001) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let descriptor = descriptor
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    /// Sends the request, and reads the response until its end or until it contains a text.
    func exchange(
        _ method: String,
        _ path: String,
        _ fields: [String: String],
        _ body: String,
        until ending: String? = nil
    ) -> (status: Int, text: String) {
        defer { close(descriptor) }
        var request = "\(method) \(path) HTTP/1.1\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in fields { request += "\(name): \(value)\r\n" }
        let bytes = Array((request + "\r\n" + body).utf8)
        unsafe bytes.withUnsafeBytes { _ = unsafe write(descriptor, $0.baseAddress, $0.count) }
        var response: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            response += chunk[..<count]
            if let ending, String(decoding: response, as: UTF8.self).contains(ending) { break }
        }
        let text = String(decoding: response, as: UTF8.self)
        return (status: Int(text.dropFirst(9).prefix(3)) ?? 0, text: text)
    }
}
