public import Logging
import Synchronization
public import UnixSignals

/// A stand-in that runs services, and shuts them down from the last to the first, like swift-service-lifecycle 2.11.0.
///
/// It receives no signals.
public actor ServiceGroup: Service {
    private let services: [any Service]
    private let shutdown = GracefulShutdown()

    public init(
        services: [any Service],
        gracefulShutdownSignals: [UnixSignal] = [],
        cancellationSignals: [UnixSignal] = [],
        logger: Logger
    ) {
        self.services = services
    }

    public func run() async throws {
        let own = shutdown
        let outer = GracefulShutdown.current
        let running = services.map { service in
            let shutdown = GracefulShutdown()
            let task = Task {
                try await GracefulShutdown.$current.withValue(shutdown) { try await service.run() }
            }
            return (shutdown, task)
        }
        let inherited = Task {
            try await outer?.wait()
            if outer != nil { own.trigger() }
        }
        defer { inherited.cancel() }
        try await withTaskCancellationHandler {
            do {
                try await own.wait()
                for (shutdown, task) in running.reversed() {
                    shutdown.trigger()
                    try await task.value
                }
            } catch is CancellationError {
                for (_, task) in running { try await task.value }
            }
        } onCancel: {
            for (_, task) in running { task.cancel() }
        }
    }

    public func triggerGracefulShutdown() async { shutdown.trigger() }
}

/// The graceful shutdown of one service.
final class GracefulShutdown: Sendable {
    private struct State {
        var isTriggered = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
    }

    @TaskLocal static var current: GracefulShutdown?
    private let state = Mutex(State())

    func trigger() {
        let waiting = state.withLock { state in
            state.isTriggered = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    func wait() async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isTriggered, !Task.isCancelled else { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }
}
