import EventDeliveryTesting
import Foundation

/// The files that another program deletes while an engine runs.
enum Removal: CaseIterable {
    case directory, database, log, everything

    func perform(in queue: TemporaryQueue) throws {
        let path = queue.path
        let all = queue.files.map { queue.url.appending(path: $0).path }
        let victims =
            switch self {
            case .directory: [try moved(queue.url.path)]
            case .database: [path]
            case .log: [path + "-wal"]
            case .everything: all
            }
        for victim in victims { try FileManager.default.removeItem(atPath: victim) }
    }

    /// Moves a directory in one step, because the engine creates it again as soon as a file is missing.
    private func moved(_ path: String) throws -> String {
        try FileManager.default.moveItem(atPath: path, toPath: path + ".gone")
        return path + ".gone"
    }
}
