// The declarations of swift-service-lifecycle 2.11.0 that a service uses.

public protocol Service: Sendable {
    func run() async throws
}

/// Waits until the group shuts down gracefully, or throws if the task is cancelled.
public func gracefulShutdown() async throws {
    try await (GracefulShutdown.current ?? GracefulShutdown()).wait()
}

/// Cancels the operation when the group shuts down gracefully.
public func cancelWhenGracefulShutdown<T: Sendable>(
    _ operation: @Sendable @escaping () async throws -> T
) async rethrows -> T {
    try await withThrowingTaskGroup(of: T?.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try? await gracefulShutdown()
            return nil
        }
        while true {
            let value = try await group.next()
            group.cancelAll()
            if let value = value ?? nil { return value }
        }
    }
}
