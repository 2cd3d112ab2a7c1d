import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// Damaged files keep what they hold in directories of their own, `corrupt-…`, for whoever wants to look into them.
extension OutboxDirectory {
    /// How much of what was set aside is kept, and for how long.
    package struct SetAsideLimit: Sendable, Hashable {
        /// The longest time since it was set aside.
        package var age: Duration
        /// The most bytes of all of it.
        package var bytes: Int

        package init(age: Duration = .seconds(30 * 24 * 60 * 60), bytes: Int = 20_000_000) {
            self.age = age
            self.bytes = bytes
        }
    }

    /// Moves a queue that cannot be read, with all that belongs to it, into a directory of its own; deletes nothing.
    ///
    /// Answers where it is now.
    package func setAside(_ path: String) throws(OutboxError) -> String {
        let name = OutboxDirectory.name(of: path)
        unlink(path + ".ballast")
        let target = try move([path + ".mark"] + OutboxDirectory.companions.map { path + $0 } + [path], named: name)
        return target.appendingPathComponent(name).path
    }

    /// Deletes what was set aside as unreadable, because its events may not be kept any longer.
    package func removeSetAside() throws(OutboxError) {
        for directory in try setAsideDirectories() { try OutboxDirectory.delete(directory) }
    }

    /// Deletes what was set aside too long ago, and then the oldest while there is too much; returns how many times
    /// something was set aside that is gone now.
    ///
    /// What seems to come from the future is as good as new.
    @discardableResult
    package func trimSetAside(now: Timestamp, limit: SetAsideLimit = SetAsideLimit()) throws(OutboxError) -> Int {
        var kept = try setAsideDirectories().map { (path: $0, time: OutboxDirectory.time(of: $0)) }
        kept.sort { $0.time < $1.time }
        let total = kept.count
        let oldest = now.advanced(bySeconds: -limit.age.components.seconds)
        var bytes = kept.map { OutboxDirectory.bytes(in: $0.path) }
        while let first = kept.first {
            guard first.time < oldest || bytes.reduce(0, { $0.saturatingAdd($1) }) > limit.bytes else { break }
            try OutboxDirectory.delete(first.path)
            kept.removeFirst()
            bytes.removeFirst()
        }
        return total - kept.count
    }

    private func setAsideDirectories() throws(OutboxError) -> [String] {
        try names().filter { $0.hasPrefix("corrupt-") }.map { url.appendingPathComponent($0).path }
    }

    /// When something was put into a directory.
    private static func time(of path: String) -> Timestamp {
        Timestamp(microseconds: 0).advanced(bySeconds: FileStatus(at: path)?.modified.seconds ?? 0)
    }

    /// The bytes of all files in a directory; links are not followed.
    private static func bytes(in path: String) -> Int {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.reduce(0) { $0.saturatingAdd(OutboxDirectory.size(path + "/" + $1)) }
    }

    private static func delete(_ path: String) throws(OutboxError) {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            let code = (error as? CocoaError)?.underlying as? POSIXError
            throw .unavailable(code: code.map { $0.code.rawValue } ?? EIO)
        }
    }

    /// Moves files into a new directory that is named for one of them.
    func move(_ paths: [String], named name: String) throws(OutboxError) -> URL {
        for attempt in 1..<1000 {
            let target = url.appendingPathComponent("corrupt-\(attempt)-\(name)")
            guard mkdir(target.path, 0o700) == 0 else {
                guard errno == EEXIST else { throw .system(errno) }
                continue
            }
            for path in paths {
                let moved = target.appendingPathComponent(OutboxDirectory.name(of: path)).path
                if rename(path, moved) != 0, errno != ENOENT { throw .system(errno) }
            }
            return target
        }
        throw .unavailable(code: EEXIST)
    }

}
