import CLibrary

/// A file descriptor of a socket or pipe.
///
/// Only the thread that owns the descriptor closes it. Other threads may shut it down.
struct SocketHandle: Sendable, Hashable {
    let descriptor: Int32

    /// Opens a TCP socket that listens on 127.0.0.1, on ::1 or on another address of this machine.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 to select any free port.
    ///   - isIPv6: Whether to listen on ::1 instead of 127.0.0.1.
    ///   - networkAddress: An IP address of this machine, or `nil` for the loopback address.
    /// - Returns: The socket and its port.
    /// - Throws: ``CollectorError`` if the address is not valid or a system call fails.
    static func listening(
        on port: UInt16,
        isIPv6: Bool = false,
        networkAddress: String? = nil
    ) throws(CollectorError) -> (SocketHandle, port: UInt16) {
        let isIPv6 = networkAddress?.contains(":") ?? isIPv6
        var (host, longHost) = (in_addr(s_addr: UInt32(0x7F00_0001).bigEndian), in6addr_loopback)
        if let text = networkAddress {
            let isAddress = isIPv6 ? inet_pton(AF_INET6, text, &longHost) : inet_pton(AF_INET, text, &host)
            guard isAddress == 1 else { throw .invalidAddress(text) }
        }
        let name = networkAddress ?? (isIPv6 ? "::1" : "127.0.0.1")
        let socket = SocketHandle(descriptor: openStream(isIPv6 ? AF_INET6 : AF_INET))
        guard socket.descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        socket.setOption(SOL_SOCKET, SO_REUSEADDR, 1)
        socket.setOnExecClose()
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = longHost
            try socket.bindAndListen(to: &address, named: name, port: port)
            return (socket, UInt16(bigEndian: address.sin6_port))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = host
        try socket.bindAndListen(to: &address, named: name, port: port)
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Binds to an address, listens, and updates the address with the selected port.
    ///
    /// On failure, closes the socket.
    private func bindAndListen<Address>(
        to address: inout Address,
        named name: String,
        port: UInt16
    ) throws(CollectorError) {
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
        switch code {
        case EADDRINUSE: throw .portInUse(port)
        case EADDRNOTAVAIL: throw .unknownAddress(name)
        default: throw .system(call: failed, code: code)
        }
    }

    /// Accepts the next connection.
    ///
    /// - Returns: The connection, or `nil` if there is none or it has already ended.
    /// - Throws: ``CollectorError`` if the process or the system has no descriptor or memory left. The connection stays
    ///   in the system's queue.
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

    /// Reads available data into a part of a buffer.
    ///
    /// Waits for at least one byte.
    ///
    /// - Parameters:
    ///   - buffer: The buffer.
    ///   - range: The part of the buffer to fill.
    ///   - peeking: Whether the data stays available for the next read.
    /// - Returns: The number of bytes, or 0 at the end of the data or after an error.
    func receive(into buffer: inout [UInt8], in range: Range<Int>, peeking: Bool = false) -> Int {
        let range = range.clamped(to: buffer.indices)
        guard !range.isEmpty else { return 0 }
        let count = buffer.withUnsafeMutableBytes { bytes in
            let target = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
            return retrying { recv(descriptor, target.baseAddress, target.count, peeking ? Int32(MSG_PEEK) : 0) }
        }
        return max(0, count)
    }

    /// Writes all bytes.
    ///
    /// Waits while the peer does not read.
    ///
    /// - Returns: `false` if the connection has ended.
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

    /// Waits until a socket is readable or has ended.
    ///
    /// - Parameters:
    ///   - sockets: The sockets to wait for.
    ///   - time: The maximum time to wait, or `nil` to wait forever.
    /// - Returns: The ready sockets, or `nil` after the time limit or an error.
    static func wait(for sockets: [SocketHandle], upTo time: Duration? = nil) -> Set<SocketHandle>? {
        let readable = Int16(POLLIN)
        var entries = sockets.map { pollfd(fd: $0.descriptor, events: readable, revents: 0) }
        let count = retrying { Int(poll(&entries, nfds_t(entries.count), time?.pollMilliseconds ?? -1)) }
        guard count > 0 else { return nil }
        return Set(entries.filter { $0.revents != 0 }.map { SocketHandle(descriptor: $0.fd) })
    }

    /// Shuts down both directions, which ends all calls that wait on this socket.
    ///
    /// Any thread may call it.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Shuts down the writing direction.
    ///
    /// The peer reads the end of the data.
    func shutDownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the descriptor.
    ///
    /// The owner must call it exactly once.
    func end() {
        close(descriptor)
    }

    /// Closes the descriptor with a reset instead of an orderly shutdown.
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

/// Repeats a system call while signals interrupt it.
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

/// A signal for a thread, which can wait for it together with its sockets.
///
/// It stays set until it is cleared.
final class WakePipe: Sendable {
    /// The reading end of the pipe, which is readable while the signal is set.
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
