#if canImport(Darwin)
import Darwin
#endif

/// The cache of the drive, in which Apple platforms leave what a sync has written.
enum DriveCache {
    /// Empties the cache of the drive that holds a file, after the file was synced; elsewhere a sync has done it.
    ///
    /// A drive that cannot do it, such as one of another kind, is left as it is: the sync itself has succeeded. The
    /// database's own path may not be passed, because closing a second descriptor of it gives up SQLite's locks.
    static func flush(by path: String) {
        #if canImport(Darwin)
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fcntl(descriptor, F_FULLFSYNC)
        close(descriptor)
        #endif
    }
}
