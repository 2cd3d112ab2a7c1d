#if !canImport(Darwin)
import Foundation
import Locks
import Testing

/// An HTTPS server for tests: `openssl s_server` with relayed input and output, one connection at a time.
final class TLSServer: Sendable {
    /// The end of each body that tests send, which marks a complete request.
    static let mark = "the end of the body"
    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// The port of the server.
    let port: Int
    private let count: Count
    private let identifier: Int32
    private let ended: AsyncStream<Never>

    /// Starts a server with a certificate and additional arguments of `s_server`, on any port or on a given one.
    init(_ certificate: TestAuthority.Certificate, port: Int = 0, _ arguments: [String] = []) async throws {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["openssl", "s_server", "-accept", "127.0.0.1:\(port)"]
            + ["-cert", certificate.file.path(), "-key", certificate.key.path()] + arguments
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        let (ended, ending) = AsyncStream.makeStream(of: Never.self)
        self.ended = ended
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        identifier = process.processIdentifier
        let (ports, announced) = AsyncStream.makeStream(of: Int.self)
        let count = Count()
        self.count = count
        let (reader, writer) = (output.fileHandleForReading, input.fileHandleForWriting)
        Thread.detachNewThread {
            var text = ""
            while case let data = reader.availableData, !data.isEmpty {
                text += String(decoding: data, as: UTF8.self)
                if let match = text.firstMatch(of: /ACCEPT(?: 127\.0\.0\.1:(\d+))?\n/) {
                    // Some releases print no address if the port is given.
                    announced.yield(match.1.flatMap { Int($0) } ?? port)
                    text = ""
                } else if text.contains(TLSServer.mark) {
                    text = ""
                    count.value.withLock { $0 += 1 }
                    try? writer.write(contentsOf: Data(TLSServer.response.utf8))
                }
            }
            announced.finish()
        }
        self.port = try #require(await ports.first { _ in true })
    }

    deinit {
        kill(identifier, SIGKILL)
    }

    /// Ends the server, and returns when its port is free.
    func end() async {
        kill(identifier, SIGKILL)
        for await _ in ended {}
    }

    /// The number of complete requests.
    var requests: Int { count.value.withLock { $0 } }

    private final class Count: Sendable {
        let value = Mutex(0)
    }
}
#endif
