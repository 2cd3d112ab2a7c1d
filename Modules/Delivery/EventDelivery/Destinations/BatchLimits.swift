/// The maximum sizes of a request to a destination.
public struct BatchLimits: Sendable, Equatable {
    /// The maximum number of events in one request.
    public var events: Int { didSet { events = max(1, events) } }
    /// The maximum size of one request's body in bytes, before compression and including the destination's framing.
    public var bodyBytes: Int { didSet { (bodyBytes, eventBytes) = (BatchLimits.clamped(bodyBytes), eventBytes) } }
    /// The maximum number of bytes added to a body by the destination's framing.
    public var framingBytes: Int {
        didSet { (framingBytes, eventBytes) = (max(0, min(framingBytes, BatchLimits.maximumBytes)), eventBytes) }
    }
    /// The maximum size of one encoded event in bytes.
    ///
    /// A larger event is refused and counted. If the space in a body becomes smaller, so does this maximum.
    public var eventBytes: Int { didSet { eventBytes = max(1, min(eventBytes, bodyBytes - framingBytes)) } }
    /// The maximum number of concurrent requests if the destination needs no order.
    ///
    /// It is 1 if it needs one.
    public var inFlight: Int { didSet { inFlight = max(1, min(inFlight, BatchLimits.maximumRequests)) } }

    /// Keeps sums of limits from overflowing.
    private static let maximumBytes = 1 << 30
    private static let maximumRequests = 64

    /// Creates limits.
    ///
    /// Values below 1 become 1, and sizes above 1 GiB become 1 GiB.
    ///
    /// - Parameters:
    ///   - events: The maximum number of events in one request.
    ///   - bodyBytes: The maximum size of one request's body in bytes.
    ///   - framingBytes: The maximum number of bytes added to a body by the destination's framing.
    ///   - eventBytes: The maximum size of one encoded event in bytes. It is reduced to the available space in a body.
    ///   - inFlight: The maximum number of concurrent requests, at most 64.
    public init(
        events: Int,
        bodyBytes: Int,
        framingBytes: Int = 0,
        eventBytes: Int = 262_144,
        inFlight: Int = 1
    ) {
        self.events = max(1, events)
        self.bodyBytes = BatchLimits.clamped(bodyBytes)
        self.framingBytes = max(0, min(framingBytes, BatchLimits.maximumBytes))
        self.eventBytes = max(1, min(BatchLimits.clamped(eventBytes), self.bodyBytes - self.framingBytes))
        self.inFlight = max(1, min(inFlight, BatchLimits.maximumRequests))
    }

    private static func clamped(_ bytes: Int) -> Int { max(1, min(bytes, maximumBytes)) }
}
