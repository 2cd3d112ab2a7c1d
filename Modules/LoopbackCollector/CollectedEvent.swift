/// One event of a request's body.
public struct CollectedEvent: Sendable, Hashable {
    /// The event's id; empty when it has none.
    public let id: String
    /// The event's name; empty when it has none.
    public let name: String
    /// The event as the receiver sees it.
    public let json: CollectedValue
    /// The number of the request that brought it.
    public let arrival: Int
    /// Where its text stands in the request's body.
    public let place: Range<Int>
}
