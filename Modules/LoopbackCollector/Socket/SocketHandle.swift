#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file descriptor of a socket or pipe.
///
/// The thread that owns it closes it; others may only shut it down.
struct SocketHandle: Sendable, Hashable {
    let descriptor: Int32

    /// Opens a TCP socket that listens on 127.0.0.1, on ::1 or on another IPv4 address of this machine.
    ///
    /// - Returns: The socket and its port, which is any free one for 0.
    static func listening(
        on port: UInt16,
        isIPv6: Bool = false,
        networkAddress: String? = nil
    ) throws(CollectorError) -> (SocketHandle, port: UInt16) {
        var host = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        if let networkAddress, inet_pton(AF_INET, networkAddress, &host) != 1 {
            throw .invalidAddress(networkAddress)
        }
        let socket = SocketHandle(descriptor: openStream(isIPv6 ? AF_INET6 : AF_INET))
        guard socket.descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        socket.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        socket.setOnExecClose()
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            try socket.bindAndListen(to: &address)
            return (socket, UInt16(bigEndian: address.sin6_port))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = host
        try socket.bindAndListen(to: &address)
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Binds to an address, listens, and reads back what the system made of the address; closes where one fails.
    private func bindAndListen<Address>(to address: inout Address) throws(CollectorError) {
        var length = socklen_t(MemoryLayout<Address>.size)
        let failed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> String? in
                if bind(descriptor, generic, length) != 0 { return "bind" }
                if listen(descriptor, 128) != 0 { return "listen" }
                return getsockname(descriptor, generic, &length) != 0 ? "getsockname" : nil
            }
        }
        guard let failed else { return }
        let code = errno
        end()
        throw .system(call: failed, code: code)
    }

    /// Accepts the next connection.
    ///
    /// - Returns: `nil` if there is no connection or it has already ended.
    /// - Throws: `CollectorError` if the process or the system has no descriptor or memory left; the connection waits.
    func accepted() throws(CollectorError) -> SocketHandle? {
        let connection = SocketHandle(descriptor: accept(descriptor, nil, nil))
        guard connection.descriptor >= 0 else {
            let code = errno
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) { throw .system(call: "accept", code: code) }
            return nil
        }
        connection.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        connection.setOnExecClose()
        #if canImport(Darwin)
        connection.setOption(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return connection
    }

    /// Reads what is there into a part of a buffer, waiting for at least one byte; 0 at the end or on failure.
    func receive(into buffer: inout [UInt8], in range: Range<Int>, peeking: Bool = false) -> Int {
        let range = range.clamped(to: buffer.indices)
        guard !range.isEmpty else { return 0 }
        let count = buffer.withUnsafeMutableBytes { bytes in
            let target = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
            return retrying { recv(descriptor, target.baseAddress, target.count, peeking ? Int32(MSG_PEEK) : 0) }
        }
        return max(0, count)
    }

    /// Writes all bytes, waiting while the peer does not read; `false` when the connection is gone.
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return ContiguousArray(bytes).withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                #if canImport(Darwin)
                let count = retrying { Darwin.send(descriptor, part.baseAddress, part.count, flags) }
                #elseif canImport(Glibc)
                let count = retrying { Glibc.send(descriptor, part.baseAddress, part.count, flags) }
                #else
                let count = retrying { Musl.send(descriptor, part.baseAddress, part.count, flags) }
                #endif
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Waits until one of the sockets can be read or has ended, and answers which; `nil` after the time.
    static func wait(for sockets: [SocketHandle], upTo time: Duration? = nil) -> Set<SocketHandle>? {
        let readable = Int16(POLLIN)
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: readable, revents: 0) }
        let count = retrying { Int(poll(&entries, nfds_t(entries.count), time?.pollMilliseconds ?? -1)) }
        guard count > 0 else { return nil }
        return Set(entries.filter { $0.revents != 0 }.map { SocketHandle(descriptor: $0.fd) })
    }

    /// Ends both directions, so that every call that waits on this socket returns; any thread may do it.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the writing direction: the peer reads the end.
    func shutDownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the descriptor; the owner calls it once.
    func end() {
        close(descriptor)
    }

    /// Closes the descriptor with a reset instead of an orderly end.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    private func setOption(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private func setOnExecClose() {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func openStream(_ family: Int32) -> Int32 {
        #if canImport(Glibc)
        socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(family, SOCK_STREAM, 0)
        #endif
    }
}

/// Repeats a system call that a signal interrupted.
private func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

extension Duration {
    fileprivate var pollMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return .max }
        return max(0, Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
