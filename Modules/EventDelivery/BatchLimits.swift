/// What one request to a destination may hold.
public struct BatchLimits: Sendable, Hashable {
    /// The most events of one request.
    public var events: Int
    /// The most bytes of one request's body before compression, the destination's own framing included.
    public var bodyBytes: Int
    /// The bytes that the destination's framing adds to a body of the longest kind.
    public var framingBytes: Int
    /// The most bytes of one encoded event; a longer one is refused and counted.
    public var eventBytes: Int

    /// Creates limits; values below 1 are taken as 1.
    public init(events: Int, bodyBytes: Int, framingBytes: Int = 0, eventBytes: Int = 262_144) {
        self.events = max(1, events)
        self.bodyBytes = max(1, bodyBytes)
        self.framingBytes = max(0, framingBytes)
        self.eventBytes = max(1, min(eventBytes, bodyBytes - framingBytes))
    }
}
