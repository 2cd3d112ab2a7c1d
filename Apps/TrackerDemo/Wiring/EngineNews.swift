import CoreTracker
import EventDelivery
import Synchronization

/// The last that the engine has told of each lane and of its storage.
final class EngineNews: Sendable {
    private struct State {
        var failures: [LaneID: String] = [:]
        var storage: [String] = []
    }

    private let state = Mutex(State())
    private let stream: AsyncStream<Diagnostic>

    /// Creates a listener of an engine's diagnostics, which hears them once ``listen()`` runs.
    init(_ stream: AsyncStream<Diagnostic>) {
        self.stream = stream
    }

    /// Listens until the engine is closed.
    func listen() async {
        for await diagnostic in stream { note(diagnostic) }
    }

    /// Why the last attempt of a lane failed; `nil` when it did not.
    func failure(of lane: LaneID) -> String? { state.withLock { $0.failures[lane] } }

    /// What happened to the storage, in order.
    var storage: [String] { state.withLock(\.storage) }

    /// A transport's error in words for people.
    static func readable(_ cause: String) -> String {
        cause.hasPrefix("connectionFailed") ? "no connection" : cause == "timedOut" ? "no answer in time" : cause
    }

    private func note(_ diagnostic: Diagnostic) {
        state.withLock { state in
            switch diagnostic {
            case .retrying(let lane, let cause, _): state.failures[lane] = EngineNews.readable(cause)
            case .recovered(let lane): state.failures[lane] = nil
            case .storageFailed(let error): state.storage.append("the queue cannot be written: \(error)")
            case .storageRecovered: state.storage.append("the queue can be written again")
            case .salvaged(let events): state.storage.append("a damaged queue was set aside, \(events) events saved")
            case .setAside(let error): state.storage.append("a queue was set aside: \(error)")
            case .adoptionFailed(let error): state.storage.append("what an ended process left cannot be read: \(error)")
            case .adopted(let events): state.storage.append("\(events) events of an ended process were taken over")
            default: break
            }
        }
    }
}
