import CLibrary
import CoreTracker
package import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// Damaged files are kept for inspection in directories named `corrupt-…`.
extension OutboxDirectory {
    /// Moves the queue file and its companions into a new directory, and deletes the disk reserve.
    ///
    /// - Returns: The path of the moved queue file.
    /// - Throws: The error of the file system.
    @discardableResult
    package func moveAside() throws(OutboxError) -> String {
        _ = reserve.release()
        let paths = [queue + ".checkpoint"] + OwnFile.companions.map { queue + $0 } + [queue]
        return "\(try move(paths, named: OutboxDirectory.queueName))/\(OutboxDirectory.queueName)"
    }

    /// Deletes all damaged files moved aside earlier, because their events must not be kept any longer.
    ///
    /// - Throws: The error if a file could not be deleted.
    package func removeSetAside() throws(OutboxError) {
        for directory in try setAsideDirectories() { try OutboxDirectory.delete(directory) }
    }

    /// Deletes damaged files beyond the maximum age, then the oldest ones until the rest is within the limit.
    ///
    /// A time in the future counts as new.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - age: The maximum age.
    ///   - limit: The maximum total size in bytes.
    /// - Returns: The number of deleted directories.
    /// - Throws: The error of the file system.
    @discardableResult
    package func trimSetAside(
        now: Timestamp,
        age: Duration = .seconds(30 * 24 * 60 * 60),
        bytes limit: Int = 20_000_000
    ) throws(OutboxError) -> Int {
        var kept = try setAsideDirectories().map { (path: $0, time: OutboxDirectory.modificationTime(of: $0)) }
            .sorted(by: \.time)
        let total = kept.count
        let oldest = now.advanced(bySeconds: -age.components.seconds)
        var bytes = kept.map { OutboxDirectory.bytes(in: $0.path) }
        while let first = kept.first {
            guard first.time < oldest || bytes.reduce(0, { $0.saturatingAdd($1) }) > limit else { break }
            try OutboxDirectory.delete(first.path)
            kept.removeFirst()
            bytes.removeFirst()
        }
        return total - kept.count
    }

    private func setAsideDirectories() throws(OutboxError) -> [String] {
        try names().filter { $0.hasPrefix("corrupt-") }.map { path(of: $0) }
    }

    /// Returns the modification time of a directory.
    private static func modificationTime(of path: String) -> Timestamp {
        Timestamp(microseconds: 0).advanced(bySeconds: FileStatus(at: path)?.modified.seconds ?? 0)
    }

    /// Returns the size in bytes of all files in a directory, without following links.
    private static func bytes(in path: String) -> Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return names.reduce(0) { $0.saturatingAdd(FileStatus.size(at: path + "/" + $1)) }
    }

    private static func delete(_ path: String) throws(OutboxError) {
        try OutboxDirectory.withFiles { try $0.removeItem(atPath: path) }
    }

    /// Moves files into a new directory named after one of them.
    ///
    /// Returns the directory's path.
    func move(_ paths: [String], named name: String) throws(OutboxError) -> String {
        for attempt in 1..<1000 {
            let target = path(of: "corrupt-\(attempt)-\(name)")
            guard mkdir(target, 0o700) == 0 else {
                guard errno == EEXIST else { throw .system(errno) }
                continue
            }
            for path in paths {
                let moved = "\(target)/\(OutboxDirectory.name(of: path))"
                if rename(path, moved) != 0, errno != ENOENT { throw .system(errno) }
            }
            return target
        }
        throw .unavailable(code: EEXIST)
    }
}
