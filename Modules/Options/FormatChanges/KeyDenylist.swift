public import CoreTracker
public import EventDelivery

/// A middleware that removes parameters by their keys, including from nested objects and removed traits.
///
/// Of a group, it removes only traits, and of an alias nothing.
public struct KeyDenylist: EventMiddleware {
    public let name: String
    private let changes: [ParameterKey: KeyChange]

    /// Creates a denylist.
    ///
    /// - Parameters:
    ///   - keys: The keys of the parameters to remove.
    ///   - name: The middleware's name, which must differ between several lists to count them separately.
    public init(_ keys: Set<ParameterKey>, name: String = "key_denylist") {
        changes = Dictionary(uniqueKeysWithValues: keys.map { ($0, .remove) })
        self.name = name
    }

    public func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.rewriting(changes)
    }
}
