public import CoreTracker

extension DeliveryEngine {
    /// The events refused by their receivers and kept for inspection.
    public var quarantine: Quarantine { Quarantine(engine: self) }

    /// The quarantined events of an engine.
    ///
    /// ```swift
    /// let refused = await engine.quarantine.events()
    /// await engine.quarantine.retry(Set(refused.map(\.id)))
    /// ```
    public struct Quarantine: Sendable {
        let engine: DeliveryEngine
    }
}

extension DeliveryEngine.Quarantine {
    /// Returns the quarantined events.
    ///
    /// - Parameter lane: The lane, or `nil` for all lanes.
    /// - Returns: The events, oldest first. The list is empty if the engine was never opened.
    public func events(on lane: LaneID? = nil) async -> [QuarantinedEvent] {
        await engine.open?.openedStore.quarantined(lane: lane) ?? []
    }

    /// Moves quarantined events to the end of their lanes' queues.
    ///
    /// - Parameter ids: The ids of the events. Unknown ids are ignored.
    /// - Returns: The number of events, which is 0 if the disk refuses the change.
    @discardableResult
    public func retry(_ ids: Set<EventID>) async -> Int {
        await engine.open?.openedStore.retryQuarantined(ids) ?? 0
    }

    /// Deletes quarantined events, and counts them as dropped.
    ///
    /// - Parameter ids: The ids of the events. Unknown ids are ignored.
    /// - Returns: The number of events, which is 0 if the disk refuses the change.
    @discardableResult
    public func discard(_ ids: Set<EventID>) async -> Int {
        await engine.open?.openedStore.discardQuarantined(ids) ?? 0
    }
}
