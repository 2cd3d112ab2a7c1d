import CSQLite
import EventDelivery
import Foundation
import Locks

/// A point at which this process kills itself: inside the n-th system call by which SQLite changes a file.
///
/// The call is done half or not at all. SQLite's VFS lets these calls be replaced: `pwrite`, `ftruncate` and `unlink`.
enum KillPoint {
    private static let countdown = Atomic(Int.max)
    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int
    private typealias Truncate = @convention(c) (Int32, off_t) -> Int32
    private typealias Unlink = @convention(c) (UnsafePointer<CChar>?) -> Int32

    /// Arms the point.
    ///
    /// Call this before any database is opened.
    static func arm(atCall number: Int) {
        countdown.store(max(1, number), ordering: .sequentiallyConsistent)
        let write: Write = { descriptor, bytes, count, offset in
            if KillPoint.isReached {
                _ = unsafe pwrite(descriptor, bytes, count / 2, offset)
                KillPoint.strike()
            }
            return unsafe pwrite(descriptor, bytes, count, offset)
        }
        let truncate: Truncate = { descriptor, length in
            if KillPoint.isReached { KillPoint.strike() }
            return ftruncate(descriptor, length)
        }
        let unlink: Unlink = { path in
            if KillPoint.isReached { KillPoint.strike() }
            return unsafe path.map { unsafe Foundation.unlink($0) } ?? -1
        }
        unsafe replace("pwrite", with: unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
        unsafe replace("pwrite64", with: unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
        unsafe replace("ftruncate", with: unsafeBitCast(truncate, to: sqlite3_syscall_ptr.self))
        unsafe replace("unlink", with: unsafeBitCast(unlink, to: sqlite3_syscall_ptr.self))
    }

    private static var isReached: Bool {
        countdown.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
    }

    private static func strike() {
        kill(getpid(), SIGKILL)
        // Wait for the signal, so nothing else runs.
        while true { pause() }
    }

    private static func replace(_ name: String, with function: sqlite3_syscall_ptr) {
        guard let vfs = unsafe sqlite3_vfs_find(nil) else { return }
        _ = unsafe vfs.pointee.xSetSystemCall(vfs, name, function)
    }
}
