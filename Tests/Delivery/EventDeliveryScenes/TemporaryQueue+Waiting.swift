import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Foundation
import Testing

extension DeliveryEngine {
    /// Waits until the engine's task has deleted a text from all files of a directory.
    ///
    /// After many barriers it records an issue.
    func waitUntilGone(_ text: String, from queue: TemporaryQueue) async {
        await wait(for: "the deletion of \(text)") {
            try !queue.files.contains { try queue.file($0, contains: text) }
        }
    }

    /// Waits until no deletion is pending in a directory.
    ///
    /// After many barriers it records an issue.
    func waitUntilClean(_ queue: TemporaryQueue) async {
        await wait(for: "the end of the deletion") { try queue.copy().rows().privacy.state.scrub == 0 }
    }

    private func wait(for subject: String, until isMet: () throws -> Bool) async {
        for _ in 1...6_000 {
            // A file may change while it is read.
            if let isMet = try? isMet(), isMet { return }
            await persist()
        }
        Issue.record("\(subject) takes too long")
    }
}

extension TemporaryQueue {
    fileprivate func file(_ name: String, contains text: String) throws -> Bool {
        let data = try Data(contentsOf: url.appending(path: name))
        return data.range(of: Data(text.utf8)) != nil
    }
}
