import CLibrary

/// A file, terminal or pipe of the process, such as standard error.
///
/// A write to a pipe without a reader fails. It does not end the process by SIGPIPE, which a library may not ignore for
/// its app.
package struct OutputFile: Sendable {
    private let descriptor: Int32

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
        // There the signal goes to the process, so a thread cannot block it.
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        #endif
    }

    /// Writes the first of some bytes.
    ///
    /// - Returns: The number of written bytes, or -1 with the error in `errno`.
    package func write(_ bytes: some Collection<UInt8>) -> Int {
        let bytes = Array(bytes)
        #if canImport(Darwin)
        return bytes.withUnsafeBytes { Darwin.write(descriptor, $0.baseAddress, $0.count) }
        #else
        // Block the signal for this thread, and take it if the write has caused it.
        var (pipe, earlier, now) = (sigset_t(), sigset_t(), timespec())
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, &earlier)
        #if canImport(Glibc)
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        #else
        let count = bytes.withUnsafeBytes { Musl.write(descriptor, $0.baseAddress, $0.count) }
        #endif
        let code = errno
        if count < 0, code == EPIPE { _ = sigtimedwait(&pipe, nil, &now) }
        pthread_sigmask(SIG_SETMASK, &earlier, nil)
        errno = code
        return count
        #endif
    }
}
