#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A signal that a thread can wait for together with its sockets.
///
/// It stays set until it is cleared.
final class WakePipe: Sendable {
    /// The end of the pipe that is readable while the signal is set.
    let socket: SocketHandle
    private let writer: SocketHandle

    /// Opens the pipe behind the signal.
    init() throws(CollectorError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
        socket = SocketHandle(descriptor: ends[0])
        writer = SocketHandle(descriptor: ends[1])
        for descriptor in ends {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        socket.end()
        writer.end()
    }

    /// Sets the signal.
    func set() {
        var byte: UInt8 = 1
        _ = write(writer.descriptor, &byte, 1)
    }

    /// Clears the signal, regardless of how often it was set.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 1024)
        while read(socket.descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
