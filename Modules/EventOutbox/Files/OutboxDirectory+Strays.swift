import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// What stands in the directory and belongs to no queue any more, or never did.
extension OutboxDirectory {
    /// How long a file that is being written is left alone, in seconds.
    private static let writingTime: Int64 = 600

    /// Moves away what stands beside a queue and is not its own, before SQLite opens or believes it.
    ///
    /// That is whatever is no regular file of this user's own, and a rollback journal beside more than one page: this
    /// library's files have one only while their first page is made, and SQLite would play a stray one back over the
    /// events.
    package func clearStrays(of path: String) throws(OutboxError) {
        let strays = OutboxDirectory.companions.map { path + $0 }.filter { companion in
            guard let status = FileStatus(at: companion) else { return false }
            return status.foreignTraitOfFile != nil
                || companion.hasSuffix("-journal") && OutboxDirectory.size(path) > 4096
        }
        if !strays.isEmpty { _ = try move(strays, named: OutboxDirectory.name(of: path)) }
    }

    /// Deletes what a process that was killed has left: what belongs to a queue that is gone, and half-written files.
    func removeStrays() {
        guard let names = try? names() else { return }
        // Half-written files have their time from the system's clock, and nobody else's.
        let now = Int64(time(nil))
        for name in names {
            let path = url.appendingPathComponent(name).path
            if TemporaryName.matches(name) {
                guard let status = FileStatus(at: path), status.kind == S_IFREG else { continue }
                if now - status.modified.seconds > OutboxDirectory.writingTime { unlink(path) }
            } else if let queue = OutboxDirectory.queue(of: path), FileStatus(at: queue) == nil {
                // A queue is made before what belongs to it, so nobody is about to make this one.
                unlink(path)
            }
        }
    }

    /// The path of the queue that a file belongs to by its name; `nil` for a queue itself and for what is none's.
    private static func queue(of path: String) -> String? {
        guard OutboxDirectory.name(of: path).hasPrefix("queue-") else { return nil }
        let ending = ([".mark", ".ballast"] + companions).first { path.hasSuffix(".db" + $0) }
        return ending.map { String(path.dropLast($0.count)) }
    }
}
