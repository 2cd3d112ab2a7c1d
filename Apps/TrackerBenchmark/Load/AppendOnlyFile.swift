import Foundation

/// A file to which groups are appended, with a barrier against power loss once a second.
final class AppendOnlyFile {
    private let descriptor: Int32
    private var lastBarrier = Stopwatch.now

    /// Creates the file.
    init(path: String) throws {
        descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    deinit {
        close(descriptor)
    }

    /// Appends a group with one write.
    func append(_ bytes: [UInt8]) throws {
        let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw POSIXError(.ENOSPC) }
        guard Stopwatch.now - lastBarrier > 1_000_000_000 else { return }
        try makeBarrier()
    }

    /// Makes all data survive a power loss.
    func makeBarrier() throws {
        guard fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
        lastBarrier = Stopwatch.now
    }
}
