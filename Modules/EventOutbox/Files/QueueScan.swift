/// The queues of a directory, opened one after another when asked for, however many there are.
///
/// Whoever scans decides how many are open at once; what cannot be opened does not count.
package struct QueueScan {
    /// What a queue turned out to be.
    package enum Found {
        /// Nobody was at work on it, and its owner lock has been taken.
        case orphan(Orphan)
        /// Another process, or another engine of this one, is at work on it.
        case owned(path: String)
        /// A newer version has written it; it stays whole for the version that can read it.
        case newer(path: String, version: Int)
        /// It is not this user's own, and was not opened.
        case foreign(path: String, trait: OutboxError.ForeignTrait)
        /// It is damaged, or cannot be read for now.
        case failed(path: String, error: OutboxError)
    }

    private let directory: OutboxDirectory
    private var paths: ArraySlice<String>

    /// Lists the queues of a directory, oldest name first; opens none.
    package init(_ directory: OutboxDirectory) throws(OutboxError) {
        self.directory = directory
        paths = try directory.queuePaths()[...]
    }

    /// How many have not been looked at yet.
    package var remaining: Int { paths.count }

    /// Opens the next queue; `nil` at the end.
    package mutating func next() -> Found? {
        guard let path = paths.popFirst() else { return nil }
        do throws(OutboxError) {
            if let trait = FileStatus(at: path)?.foreignTraitOfFile { throw .foreign(trait) }
            try directory.clearStrays(of: path)
            return .orphan(try Orphan(path: path, directory: directory))
        } catch {
            switch error {
            case .busy: return .owned(path: path)
            case .newerVersion(let version): return .newer(path: path, version: version)
            case .foreign(let trait): return .foreign(path: path, trait: trait)
            default: return .failed(path: path, error: error)
            }
        }
    }
}
