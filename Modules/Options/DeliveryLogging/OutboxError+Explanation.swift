import CLibrary
public import EventTracking

extension OutboxError: CustomStringConvertible {
    /// The cause in words, such as `the directory cannot be used (No such file or directory)`.
    public var description: String { explanation(LaneSurroundings()).cause }
}

extension OutboxError {
    /// Returns the explanation of events that cannot be stored.
    func explanation(_ surroundings: LaneSurroundings) -> Explanation {
        let directory = surroundings.directory.isEmpty ? "" : " \(surroundings.directory)"
        let isOwn = self == .directoryInUse && surroundings.isUsedByThisProcess
        let (name, detail) = isOwn ? ("used_by_this_process", "") : code
        let place = directory.isEmpty ? "" : " of the directory\(directory)"
        return Explanation("storage.\(name)", ["directory": directory, "place": place, "error": detail])
    }

    /// A stable name, and the text of the associated value.
    private var code: (name: String, detail: String) {
        switch self {
        case .full: ("full", "")
        case .busy: ("busy", "")
        case .directoryInUse: ("directory_in_use", "")
        case .notLockable(let code): ("not_lockable", OutboxError.text(of: code))
        case .corrupt: ("corrupt", "")
        case .newerVersion(let version): ("newer_version", "\(version)")
        case .olderVersion(let version): ("older_version", "\(version)")
        case .beyondLimit: ("beyond_limit", "")
        case .unavailable(let code): ("unavailable", OutboxError.text(of: code))
        case .foreign(let trait): ("foreign", Explanation("foreign.\(trait)").cause)
        case .vanished: ("vanished", "")
        case .notOpen: ("not_open", "")
        case .suspended: ("suspended", "")
        case .failed(let code): ("failed", "\(code & 0xFF)")
        }
    }

    /// Returns the system's text for an `errno`.
    private static func text(of code: Int32) -> String {
        #if canImport(Darwin)
        // `strerror` shares one buffer between all threads there.
        var text = [CChar](repeating: 0, count: 256)
        unsafe strerror_r(code, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
        return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "errno \(code)"
        #endif
    }
}

extension DecisionError: CustomStringConvertible {
    /// The consequence and the cause in words.
    public var description: String {
        switch self {
        case .notStored(let cause): "the decision is not stored, because \(cause)"
        case .notYetClean(let cause): "the decision is stored, and some deleted bytes are left, because \(cause)"
        }
    }
}
