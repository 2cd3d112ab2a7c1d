import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Testing

extension DeliveryEngine {
    /// Waits until the engine's task has deleted a text from all files of a directory.
    ///
    /// After many barriers it records an issue.
    func waitUntilGone(_ text: String, from queue: TemporaryQueue) async {
        await wait(for: "the deletion of \(text)") {
            try TemporaryQueue.files(in: queue.url, containing: text).isEmpty
        }
    }

    /// Waits until no deletion is pending in a directory.
    ///
    /// After many barriers it records an issue.
    func waitUntilClean(_ queue: TemporaryQueue) async {
        await wait(for: "the end of the deletion") { try queue.copy().rows().state?.isUnclean == false }
    }

    private func wait(for subject: String, until isMet: () throws -> Bool) async {
        for _ in 1...6_000 {
            // A file may change while it is read.
            if let isMet = try? isMet(), isMet { return }
            await storeBuffered()
        }
        Issue.record("\(subject) takes too long")
    }
}
