/// An event in the body of a request.
public struct CollectedEvent: Sendable, Hashable {
    /// The event's id, or an empty string if it has none.
    public let id: String
    /// The event's name, or an empty string if it has none.
    public let name: String
    /// The event as JSON, as the receiver decodes it.
    public let json: CollectedValue
    /// The arrival number of the event's request.
    public let arrival: Int
    /// The range of the event's text in the body of the request.
    public let range: Range<Int>
}
