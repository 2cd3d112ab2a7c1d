#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension OutboxError: CustomStringConvertible {
    /// The cause in words, such as `the directory cannot be used (No such file or directory)`.
    public var description: String { cause(in: "") }
}

extension OutboxError {
    /// Returns the explanation of events that cannot be stored.
    func explanation(_ surroundings: LaneSurroundings) -> Explanation {
        let directory = surroundings.directory.isEmpty ? "" : " \(surroundings.directory)"
        if self == .directoryInUse, surroundings.isUsedByThisProcess {
            return Explanation(
                "storage.used_by_this_process",
                "another engine of this process uses the directory\(directory)",
                cure: "open one engine only, or give each its own directory; \(OutboxError.inMemory) until then"
            )
        }
        return Explanation("storage.\(name)", cause(in: directory), cure: cure)
    }

    private static let inMemory = "events are kept in memory"

    /// A stable name.
    private var name: String {
        switch self {
        case .full: "full"
        case .busy: "busy"
        case .directoryInUse: "directory_in_use"
        case .notLockable: "not_lockable"
        case .corrupt: "corrupt"
        case .newerVersion: "newer_version"
        case .beyondLimit: "beyond_limit"
        case .unavailable: "unavailable"
        case .foreign: "foreign"
        case .vanished: "vanished"
        case .notOpen: "not_open"
        case .suspended: "suspended"
        case .failed: "failed"
        }
    }

    /// Returns the cause.
    ///
    /// - Parameter directory: The path of the directory with a space before it, or an empty string.
    private func cause(in directory: String) -> String {
        switch self {
        case .full: directory.isEmpty ? "the disk is full" : "the disk of the directory\(directory) is full"
        case .busy: "another connection has the queue file open in the directory\(directory)"
        case .directoryInUse: "another process uses the directory\(directory)"
        case .notLockable(let code):
            "the file system of the directory\(directory) has no locks (\(OutboxError.text(of: code)))"
        case .corrupt: "the queue file in the directory\(directory) is damaged"
        case .newerVersion(let version):
            "a newer version of this library wrote the directory\(directory) (layout \(version))"
        case .beyondLimit: "a name or a number exceeds a limit of the engine"
        case .unavailable(let code): "the directory\(directory) cannot be used (\(OutboxError.text(of: code)))"
        case .foreign(let trait): "the directory\(directory) cannot be trusted: \(trait.cause)"
        case .vanished: "the queue file in the directory\(directory) was deleted or replaced while it was open"
        case .notOpen: "the engine is not open"
        case .suspended: "the app has suspended the storage"
        case .failed(let code): "the storage in the directory\(directory) has failed (SQLite \(code & 0xFF))"
        }
    }

    /// The cure, and the consequence.
    private var cure: String {
        switch self {
        case .full: "free space; \(OutboxError.inMemory) until then"
        case .busy: "close the other connection; \(OutboxError.inMemory) until then"
        case .directoryInUse: "end that process, or use another directory; \(OutboxError.inMemory) until then"
        case .notLockable: "use a local directory; \(OutboxError.inMemory) until the process ends"
        case .corrupt: "the engine replaces the file and keeps its valid events; \(OutboxError.inMemory) until then"
        case .newerVersion: "update this program; \(OutboxError.inMemory) until the process ends"
        case .beyondLimit: "use shorter names, or fewer of them"
        case .unavailable: "correct the path or its permissions; \(OutboxError.inMemory) until then"
        case .foreign: "correct the file, or delete it; \(OutboxError.inMemory) until the process ends"
        case .vanished: "leave the directory's files alone; the engine writes a new file with the events in memory"
        case .notOpen: "call open(_:) when the program starts"
        case .suspended: "call resumeStorage(); \(OutboxError.inMemory) until then"
        case .failed: "check the disk; \(OutboxError.inMemory) until the storage works again"
        }
    }

    /// Returns the system's text for an `errno`.
    private static func text(of code: Int32) -> String {
        #if canImport(Darwin)
        // `strerror` shares one buffer between all threads there.
        var text = [CChar](repeating: 0, count: 256)
        strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
        return strerror(code).map { String(cString: $0) } ?? "errno \(code)"
        #endif
    }
}

extension OutboxError.ForeignTrait {
    /// The trait in words.
    fileprivate var cause: String {
        switch self {
        case .kind: "it is, or has, a link or another kind of file that the library does not create"
        case .owner: "it, or a file in it, belongs to another user"
        case .permissions: "other users can write to it, or to a file in it"
        case .links: "a file in it has a second hard link"
        }
    }
}
