import CSQLite
import EventDeliveryTesting
import Foundation
import Locks

/// Faults of the file system below SQLite, for the files of one directory.
///
/// Parallel tests are not affected.
enum DiskFaults {
    /// A kind of fault.
    enum Fault: Sendable {
        /// No file may grow, because the disk is full.
        case noGrowth
        /// The files of the directory may have this size in total. Deleting a file frees space for others.
        case capacity(Int)
        /// Every write fails with a code.
        case write(Int32)
        /// Every write to the database file fails with a code, while its log accepts writes.
        case merge(Int32)
        /// Every write to an empty database file fails with a code, so no new one can be created.
        case newFile(Int32)
        /// Reads of the database file fail with a code if they include an offset in the range.
        case read(Int32, Range<off_t>)
        /// Reads of the database file end early from an offset on.
        case shortRead(from: off_t)
        /// No file can be opened.
        case open(Int32)
    }

    /// An open file.
    private struct File {
        let directory: Substring
        let isDatabase: Bool

        init(_ path: String) {
            directory = DiskFaults.directory(of: path)
            isDatabase = path.utf8.suffix(3).elementsEqual(".db".utf8)
        }
    }

    private struct State {
        var faults: [Substring: Fault] = [:]
        var files: [Int32: File] = [:]
    }

    private typealias Open = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
    private typealias Close = @convention(c) (Int32) -> Int32
    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int
    private typealias Read = @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int

    private static let state = Mutex(State())
    private static let isInstalled: Bool = {
        install()
        return true
    }()

    /// Sets the fault of a directory, or removes it.
    ///
    /// A file has faults only if it is opened after the first call of this function or of ``prepare()``.
    static func set(_ fault: Fault?, for directory: URL) {
        _ = isInstalled
        state.withLock { $0.faults[directory.path[...]] = fault }
    }

    /// Prepares faults for files opened from now on.
    static func prepare() { _ = isInstalled }

    private static func install() {
        let open: Open = { path, flags, mode in
            let text = unsafe path.map { unsafe String(cString: $0) } ?? ""
            let file = File(text)
            if case .open(let code) = DiskFaults.state.withLock({ $0.faults[file.directory] }) {
                return DiskFaults.fail(code)
            }
            let number = unsafe Foundation.open(text, flags, mode_t(mode))
            if number >= 0 { DiskFaults.state.withLock { $0.files[number] = file } }
            return number
        }
        let close: Close = { file in
            DiskFaults.state.withLock { $0.files[file] = nil }
            return Foundation.close(file)
        }
        let write: Write = { file, bytes, count, offset in
            switch DiskFaults.fault(for: file) {
            case .write(let code): return Int(DiskFaults.fail(code))
            case .merge(let code) where DiskFaults.isDatabase(file): return Int(DiskFaults.fail(code))
            case .newFile(let code) where DiskFaults.isDatabase(file) && DiskFaults.size(of: file) == 0:
                return Int(DiskFaults.fail(code))
            case .capacity(let bytes)
            where offset + off_t(count) > DiskFaults.size(of: file)
                && DiskFaults.directorySize(of: file) + Int(offset + off_t(count) - DiskFaults.size(of: file)) > bytes:
                return Int(DiskFaults.fail(ENOSPC))
            case .noGrowth where offset + off_t(count) > DiskFaults.size(of: file):
                return Int(DiskFaults.fail(ENOSPC))
            default: return unsafe pwrite(file, bytes, count, offset)
            }
        }
        let read: Read = { file, bytes, count, offset in
            switch DiskFaults.fault(for: file) {
            case .read(let code, let range)
            where range.overlaps(offset..<(offset + off_t(count))) && DiskFaults.isDatabase(file):
                return Int(DiskFaults.fail(code))
            case .shortRead(let start) where offset >= start && DiskFaults.isDatabase(file): return 0
            default: return unsafe pread(file, bytes, count, offset)
            }
        }
        unsafe replace("open", with: unsafeBitCast(open, to: sqlite3_syscall_ptr.self))
        unsafe replace("close", with: unsafeBitCast(close, to: sqlite3_syscall_ptr.self))
        for name in ["pwrite", "pwrite64"] {
            unsafe replace(name, with: unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
        }
        for name in ["pread", "pread64"] {
            unsafe replace(name, with: unsafeBitCast(read, to: sqlite3_syscall_ptr.self))
        }
    }

    // Every read and write of SQLite by any test comes here, so it makes no URL and takes the lock once.
    private static func fault(for file: Int32) -> Fault? {
        state.withLock { state in
            guard !state.faults.isEmpty, let directory = state.files[file]?.directory else { return nil }
            return state.faults[directory]
        }
    }

    /// Returns the path of the directory of a file, without a slash at the end.
    private static func directory(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
    }

    private static func directorySize(of file: Int32) -> Int {
        guard let directory = state.withLock({ $0.files[file]?.directory }) else { return 0 }
        return size(of: URL(filePath: String(directory)))
    }

    /// Returns the total size of the files in a directory.
    static func size(of directory: URL) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.reduce(0) { $0 + TemporaryQueue.size(directory.appending(path: $1).path) }
    }

    private static func isDatabase(_ file: Int32) -> Bool {
        state.withLock { $0.files[file]?.isDatabase == true }
    }

    private static func fail(_ code: Int32) -> Int32 {
        errno = code
        return -1
    }

    private static func size(of file: Int32) -> off_t {
        var status = stat()
        return unsafe fstat(file, &status) == 0 ? off_t(status.st_size) : 0
    }

    private static func replace(_ name: String, with function: sqlite3_syscall_ptr) {
        guard let vfs = unsafe sqlite3_vfs_find(nil) else { return }
        _ = unsafe vfs.pointee.xSetSystemCall(vfs, name, function)
    }
}
