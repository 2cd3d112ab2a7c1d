import DeliveryLogging
public import EventTracking

/// The answer to a supervisor's readiness probe.
public struct EngineReadiness: Sendable, Hashable {
    /// The reason why the engine stores no events, with its cure, or `nil` if it is ready.
    ///
    /// It contains nothing of an event.
    public let obstacle: String?

    /// Whether the engine is open, and its storage accepts events.
    public var isReady: Bool { obstacle == nil }
}

extension DeliveryEngine {
    /// Returns whether events that are tracked now can be stored.
    ///
    /// The engine is not ready before it is open, while another process has its directory, while the directory cannot
    /// be used, such as on a full or read-only disk, and from the call of `close` on. Before the opening and without the
    /// directory, events are only in memory, up to the engine's capacity. An engine that is open without a directory is
    /// ready. A receiver that is down has no effect.
    ///
    /// ```swift
    /// let readiness = await engine.readiness()
    /// ```
    ///
    /// - Returns: The answer of the moment, which is false for an engine without destinations.
    public func readiness() async -> EngineReadiness {
        let lanes = await statistics()
        guard !isClosing, !buffer.isClosed, !lanes.isEmpty, lanes.allSatisfy({ $0.now != nil }) else {
            return EngineReadiness(obstacle: "the engine is not open")
        }
        return EngineReadiness(obstacle: lanes.lazy.compactMap(\.storageObstacle).first?.description)
    }
}

extension LaneStatistics {
    /// The explanation of an unavailable storage, or `nil` if the storage is available.
    var storageObstacle: Explanation? {
        storageFailure == nil ? nil : explanations.first { $0.name.hasPrefix("storage.") }
    }
}
