import EventDeliveryTesting
import Foundation

/// What somebody else deletes while an engine runs.
enum Removal: CaseIterable {
    case directory, database, log, everything

    func perform(in queue: TemporaryQueue) throws {
        let path = queue.queues[0]
        let all = queue.files.map { queue.url.appending(path: $0).path }
        let victims =
            switch self {
            case .directory: [queue.url.path]
            case .database: [path]
            case .log: [path + "-wal"]
            case .everything: all
            }
        for victim in victims { try FileManager.default.removeItem(atPath: victim) }
    }
}
