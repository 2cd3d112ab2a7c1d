import EventDelivery
import EventOutbox
import Foundation

/// A private copy of a queue at one moment, even while another process writes to it.
///
/// The database is copied before its write-ahead log. The log also contains all pages written to the database by a
/// checkpoint, until the log restarts and the salts in its header change. If the salts are the same before and after,
/// the copied log therefore completes a database copied during a checkpoint. The queue itself is only read. Holes of
/// sparse files are preserved, so the copy needs no more space than the queue.
struct QueueCopy {
    /// The maximum number of attempts while the owner is writing.
    private static let attempts = 100
    private static let piece = 1 << 20
    #if os(Linux)
    // Swift does not import these constants from <unistd.h> on Linux.
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)
    #else
    private static let (seekData, seekHole) = (SEEK_DATA, SEEK_HOLE)
    #endif
    /// The files of a queue: the database first, the log last.
    fileprivate static let suffixes = ["", "-journal", ".checkpoint", "-wal"]

    /// The path of the copied database.
    let path: String
    /// The time of the copy.
    let time: Timestamp
    /// The duration of the copy.
    let duration: Duration

    /// Copies a queue with its log and its checkpoint into a folder.
    ///
    /// - Parameters:
    ///   - file: The queue, which another process may be writing.
    ///   - folder: The folder of the copy, where an earlier copy of the same queue is replaced.
    ///   - output: Shows the progress.
    ///   - freeBytes: Returns the free space of the folder's volume. It is called before anything is written.
    /// - Throws: If the copy does not fit into the free space, if a file cannot be read or written, or if the queue
    ///   changes faster than it can be copied.
    init(
        of file: QueueFile,
        into folder: URL,
        output: Output,
        freeBytes: (URL) -> Int = QueueCopy.freeBytes
    ) throws(ToolError) {
        let start = ContinuousClock.now
        path = folder.appendingPathComponent(file.name).path
        for attempt in 1... {
            let before = try State(of: file)
            let log: [UInt8]
            for suffix in QueueCopy.suffixes { unsafe unlink(path + suffix) }
            let (needed, free) = (file.allocatedBytes, freeBytes(folder))
            guard needed <= free else {
                throw CopyError.noRoom("only \(free.megabytes) are free").explained(file)
            }
            do throws(CopyError) {
                var copied = 0
                for suffix in QueueCopy.suffixes {
                    try QueueCopy.copy(file.path + suffix, to: path + suffix, isOptional: !suffix.isEmpty) { count in
                        copied += count
                        output.progress("copying \(copied.megabytes) of \(needed.megabytes)")
                    }
                }
                log = try QueueCopy.head(of: path + "-wal")
            } catch {
                throw error.explained(file)
            }
            if before.isSame(as: try State(of: file), log: log) { break }
            guard attempt < QueueCopy.attempts else {
                throw ToolError("\(file.name) changes faster than it can be copied; try again", .inUse)
            }
            // A checkpoint is short.
            usleep(UInt32(min(attempt, 20)) * 1_000)
        }
        time = SystemClock().wallTime()
        duration = start.duration(to: .now)
    }

    /// Returns the free space of a folder's volume in bytes, or `Int.max` if it is unknown.
    private static func freeBytes(at folder: URL) -> Int {
        var volume = statvfs()
        guard unsafe statvfs(folder.path, &volume) == 0 else { return .max }
        let (bytes, isTooMany) = Int(clamping: volume.f_bavail).multipliedReportingOverflow(by: Int(volume.f_frsize))
        return isTooMany ? .max : bytes
    }

    /// A state of a queue, which reveals changes other than additions to its log.
    private struct State {
        /// The header of the log with its salts, or empty if there is no log.
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

        /// Whether a copy between this state and a later one, with a log of this header, is complete.
        func isSame(as later: State, log copied: [UInt8]) -> Bool {
            guard log == later.log, log == copied, status.first == later.status.first else { return false }
            // Without a log, the owner writes to the database directly.
            return !log.isEmpty || status == later.status
        }
    }

    /// Returns the header of a write-ahead log with its salts, or an empty array if there is no log.
    private static func head(of path: String) throws(CopyError) -> [UInt8] {
        guard let descriptor = try open(path) else { return [] }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 32)
        let count = unsafe head.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, 32, 0) }
        guard count >= 0 else { throw .unreadable(CopyError.lastError) }
        return count == 32 ? head : []
    }

    /// Copies the current bytes of a file except its holes.
    ///
    /// Bytes added during the copy are ignored.
    private static func copy(
        _ source: String,
        to target: String,
        isOptional: Bool,
        progress: (Int) -> Void
    ) throws(CopyError) {
        guard let input = try open(source) else {
            guard isOptional else { throw .unreadable(CopyError.lastError) }
            return
        }
        defer { close(input) }
        let result = unsafe Foundation.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard result >= 0 else { throw .noRoom(CopyError.lastError) }
        defer { close(result) }
        let end = lseek(input, 0, SEEK_END)
        guard end >= 0 else { throw .unreadable(CopyError.lastError) }
        guard ftruncate(result, end) == 0 else { throw .noRoom(CopyError.lastError) }
        var buffer = [UInt8](repeating: 0, count: piece)
        var place: off_t = 0
        while let data = nextData(of: input, from: place, to: end) {
            place = data.lowerBound
            while place < data.upperBound {
                let length = min(piece, Int(data.upperBound - place))
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe pread(input, $0.baseAddress, length, place) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .unreadable(CopyError.lastError) }
                guard count > 0 else { return }
                try write(buffer[..<count], to: result, at: place)
                place += off_t(count)
                progress(count)
            }
        }
    }

    /// Returns the next range of a file with data, or `nil` if there is none before the end.
    private static func nextData(of file: Int32, from place: off_t, to end: off_t) -> Range<off_t>? {
        guard place < end else { return nil }
        let start = lseek(file, place, seekData)
        if start < 0 {
            // ENXIO: only a hole is left. Any other error: the file system has no holes.
            return errno == ENXIO ? nil : place..<end
        }
        guard start < end else { return nil }
        let hole = lseek(file, start, seekHole)
        return start..<(hole > start ? min(hole, end) : end)
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, at place: off_t) throws(CopyError) {
        var (rest, place) = (bytes, place)
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, place) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .noRoom(CopyError.lastError) }
            rest = rest.dropFirst(count)
            place += off_t(count)
        }
    }

    /// Opens a regular file for reading.
    ///
    /// Returns `nil` if there is none.
    private static func open(_ path: String) throws(CopyError) -> Int32? {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .unreadable(CopyError.lastError)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .unreadable("not a regular file")
        }
        return descriptor
    }
}

/// An error of copying, with the system's message.
private enum CopyError: Error {
    case unreadable(String)
    case noRoom(String)

    /// The message for the current `errno`.
    static var lastError: String { unsafe String(cString: strerror(errno)) }

    func explained(_ file: QueueFile) -> ToolError {
        switch self {
        case .unreadable(let cause): return ToolError("\(file.path) cannot be read: \(cause)", .failed)
        case .noRoom(let cause):
            let place = FileManager.default.temporaryDirectory.path
            let size = file.allocatedBytes.megabytes
            return ToolError(
                "\(place) has no space for a copy of \(size): \(cause); set TMPDIR to another directory",
                .failed
            )
        }
    }
}

extension QueueFile {
    /// The disk space in bytes of the queue and its companion files.
    ///
    /// Holes of sparse files do not count.
    fileprivate var allocatedBytes: Int {
        QueueCopy.suffixes.reduce(0) { bytes, suffix in
            var found = stat()
            guard unsafe lstat(path + suffix, &found) == 0 else { return bytes }
            return bytes + min(Int(found.st_size), Int(found.st_blocks) * 512)
        }
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
