#if os(Linux)
import EventDeliveryTesting
import Foundation
import Testing

/// Tests of a real process whose name server never responds.
///
/// The process has a separate `resolv.conf`, which needs a privileged user.
@Suite(.timeLimit(.minutes(5))) struct HangingNameTests {
    @Test(.enabled(if: SilentNameServer.isPossible))
    func `a name whose resolution hangs delays neither flush nor exit, and no event is lost`() async throws {
        let server = try #require(SilentNameServer())
        let queue = FileManager.default.temporaryDirectory.appending(path: "name-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: queue) }
        let start = ContinuousClock.now

        let producer = try server.start(
            ["--queue", queue.path, "--endpoint", "http://receiver.example/lines", "--count", "3", "--deadline", "5"]
        )
        let lines = await producer.lines.reduce(into: []) { $0.append($1) }
        let end = await producer.ended()

        #expect(end == .code(0))
        #expect(lines.filter { $0.hasPrefix("R ") }.count == 3)
        #expect(lines.last?.contains(#""pending":3"#) == true, "\(lines.last ?? "")")
        #expect(server.wasAsked)
        // The resolver would try for 150 seconds.
        #expect(ContinuousClock.now - start < .seconds(120))
    }
}

/// A name server on the loopback address that never responds, and the file that names it.
private final class SilentNameServer: Sendable {
    /// An address of this process only, because the port of name servers is fixed.
    private static let address: String = {
        let process = getpid()
        return "127.\(128 | process >> 16 & 127).\(process >> 8 & 255).\(process & 255)"
    }()
    private let socket: Int32
    private let file: URL

    /// Whether a process can have a separate file system on this machine.
    static var isPossible: Bool {
        guard geteuid() == 0, SilentNameServer() != nil else { return false }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["--mount", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Binds the server's port, or returns `nil` without permission.
    init?() {
        socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        file = FileManager.default.temporaryDirectory.appending(path: "resolv-\(UUID().uuidString)")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = unsafe inet_addr(SilentNameServer.address)
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let text = "nameserver \(SilentNameServer.address)\noptions timeout:30 attempts:5\n"
        guard isBound, (try? Data(text.utf8).write(to: file)) != nil else { return nil }
    }

    deinit {
        close(socket)
        try? FileManager.default.removeItem(at: file)
    }

    /// Whether a query has arrived.
    var wasAsked: Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) > 0
    }

    /// Starts a producer that uses this server.
    func start(_ arguments: [String]) throws -> ChildProcess {
        let producer = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "DeliveryProducer")
        let script = #"mount --bind "$1" /etc/resolv.conf && shift && exec "$@""#
        return try ChildProcess(
            executable: URL(filePath: "/usr/bin/unshare"),
            arguments: ["--mount", "sh", "-c", script, "sh", file.path, producer.path] + arguments
        )
    }
}
#endif
