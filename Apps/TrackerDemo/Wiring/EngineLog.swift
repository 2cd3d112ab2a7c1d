import EventDelivery
import Locks

/// A log of the engine's storage diagnostics.
final class EngineLog: Sendable {
    private let lines = Mutex<[String]>([])
    private let stream: AsyncStream<Diagnostic>

    /// Creates a log of a stream.
    ///
    /// It reads the stream when ``listen()`` runs.
    init(_ stream: AsyncStream<Diagnostic>) {
        self.stream = stream
    }

    /// Reads diagnostics until the engine is closed.
    func listen() async {
        for await diagnostic in stream { record(diagnostic) }
    }

    /// The storage diagnostics, in order.
    var storage: [String] { lines.withLock { $0 } }

    private func record(_ diagnostic: Diagnostic) {
        let line: String? =
            switch diagnostic {
            case .storageFailed(let error): "the queue cannot be written: \(error)"
            case .storageRecovered: "the queue can be written again"
            case .recovered(let events): "a damaged queue was set aside, \(events) events saved"
            case .earlierLayout: "an earlier version has left queue files, which stay as they are"
            default: nil
            }
        if let line { lines.withLock { $0.append(line) } }
    }
}
