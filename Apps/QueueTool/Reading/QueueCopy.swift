import EventDelivery
import EventOutbox
import Foundation

/// A private copy of one queue, as it was at one moment, also beside a process that writes it.
///
/// The database is copied before its write-ahead log. What a checkpoint writes into the database lies in the log, too,
/// until the log starts over, which changes the salts in its head: where these are the same before and after, the
/// copied log repairs all that the copied database has of a checkpoint under way. The queue itself is only ever read.
struct QueueCopy {
    /// How often a copy is tried beside a busy owner.
    private static let attempts = 100
    private static let piece = 1 << 20

    /// Where it is.
    let path: String
    /// When it was made.
    let time: Timestamp
    /// How long it took.
    let duration: Duration

    /// Copies a queue into a folder, with its mark.
    init(of file: QueueFile, into folder: URL, output: Output) throws(ToolError) {
        let start = ContinuousClock.now
        path = folder.appendingPathComponent(file.name).path
        for attempt in 1... {
            let before = try State(of: file)
            let log: [UInt8]
            do throws(CopyError) {
                try QueueCopy.copy(file.path, to: path, of: file.bytes, output: output)
                for suffix in ["-journal", ".mark", "-wal"] {
                    try QueueCopy.copy(file.path + suffix, to: path + suffix, isOptional: true, of: 0, output: output)
                }
                log = try QueueCopy.head(of: path + "-wal")
            } catch {
                throw error.explained(file)
            }
            if before.isSame(as: try State(of: file), log: log) { break }
            guard attempt < QueueCopy.attempts else {
                throw ToolError("\(file.name) changes faster than it can be copied: try again", .inUse)
            }
            // A checkpoint is over in a moment.
            usleep(UInt32(min(attempt, 20)) * 1_000)
        }
        time = SystemClock().wallTime()
        duration = start.duration(to: .now)
    }

    /// What tells whether a queue was changed otherwise than by additions to its log.
    private struct State {
        /// The head of the log with its salts; empty where there is no log.
        let log: [UInt8]
        let status: [Int64]

        init(of file: QueueFile) throws(ToolError) {
            status = file.status
            do throws(CopyError) {
                log = try QueueCopy.head(of: file.path + "-wal")
            } catch {
                throw error.explained(file)
            }
        }

        /// Whether a copy that was made in between, with a log of this head, is whole.
        func isSame(as later: State, log copied: [UInt8]) -> Bool {
            guard log == later.log, log == copied, status.first == later.status.first else { return false }
            // Without a log the database is written straight by whoever checkpoints.
            return !log.isEmpty || status == later.status
        }
    }

    /// The head of a write-ahead log, of which the salts are a part; empty where there is none.
    private static func head(of path: String) throws(CopyError) -> [UInt8] {
        guard let descriptor = try open(path) else { return [] }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 32)
        let count = unsafe head.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, 32, 0) }
        guard count >= 0 else { throw CopyError(reading: path) }
        return count == 32 ? head : []
    }

    private static func copy(
        _ source: String,
        to target: String,
        isOptional: Bool = false,
        of bytes: Int,
        output: Output
    ) throws(CopyError) {
        unsafe unlink(target)
        guard let input = try open(source) else {
            guard isOptional else { throw CopyError(reading: source) }
            return
        }
        defer { close(input) }
        let result = unsafe Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard result >= 0 else { throw CopyError(writing: target) }
        defer { close(result) }
        var buffer = [UInt8](repeating: 0, count: piece)
        var copied = 0
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CopyError(reading: source) }
            guard count > 0 else { return }
            try write(buffer[..<count], to: result, target)
            copied += count
            output.progress("copying \(copied.megabytes) of \(bytes.megabytes)")
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws(CopyError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CopyError(writing: path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Opens a regular file for reading; `nil` where there is none.
    private static func open(_ path: String) throws(CopyError) -> Int32? {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw CopyError(reading: path)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CopyError(reading: path, because: "not a regular file")
        }
        return descriptor
    }
}

/// Why a copy was not made.
private struct CopyError: Error {
    let isOfTarget: Bool
    let cause: String

    init(reading path: String, because cause: String? = nil) {
        isOfTarget = false
        self.cause = cause ?? CopyError.text(of: errno)
    }

    init(writing path: String) {
        isOfTarget = true
        cause = CopyError.text(of: errno)
    }

    private static func text(of code: Int32) -> String { unsafe String(cString: strerror(code)) }

    func explained(_ file: QueueFile) -> ToolError {
        guard isOfTarget else { return ToolError("\(file.path) cannot be read: \(cause)", .failed) }
        let place = FileManager.default.temporaryDirectory.path
        return ToolError(
            "\(place) has no room for a copy of \(file.bytes.megabytes): \(cause); TMPDIR names another place",
            .failed
        )
    }
}

extension Int {
    /// The number of bytes in megabytes, or in a smaller unit.
    var megabytes: String {
        switch self {
        case ..<10_000: "\(grouped) bytes"
        case ..<10_000_000: "\((self / 1_000).grouped) KB"
        default: "\((self / 1_000_000).grouped) MB"
        }
    }

    /// The digits in groups of three.
    var grouped: String {
        let digits = String(magnitude)
        let groups = digits.enumerated().map { index, digit in
            index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : String(digit)
        }
        return (self < 0 ? "-" : "") + groups.joined()
    }
}
