/// What one request to a destination may hold.
public struct BatchLimits: Sendable, Hashable {
    /// The most events of one request.
    public var events: Int { didSet { events = max(1, events) } }
    /// The most bytes of one request's body before compression, the destination's own framing included.
    public var bodyBytes: Int { didSet { bodyBytes = BatchLimits.clamped(bodyBytes) } }
    /// The bytes that the destination's framing adds to a body of the longest kind.
    public var framingBytes: Int { didSet { framingBytes = max(0, min(framingBytes, BatchLimits.mostBytes)) } }
    /// The most bytes of one encoded event; a longer one is refused and counted.
    public var eventBytes: Int { didSet { eventBytes = BatchLimits.clamped(eventBytes) } }
    /// The most requests under way at once where the destination needs no order; 1 where it does.
    public var inFlight: Int { didSet { inFlight = max(1, min(inFlight, BatchLimits.mostRequests)) } }

    /// So that no sum of limits overflows.
    private static let mostBytes = 1 << 30
    private static let mostRequests = 64

    /// Creates limits; values below 1 are taken as 1, and sizes beyond 1 GiB as 1 GiB.
    public init(
        events: Int,
        bodyBytes: Int,
        framingBytes: Int = 0,
        eventBytes: Int = 262_144,
        inFlight: Int = 1
    ) {
        self.events = max(1, events)
        self.bodyBytes = BatchLimits.clamped(bodyBytes)
        self.framingBytes = max(0, min(framingBytes, BatchLimits.mostBytes))
        self.eventBytes = max(1, min(BatchLimits.clamped(eventBytes), self.bodyBytes - self.framingBytes))
        self.inFlight = max(1, min(inFlight, BatchLimits.mostRequests))
    }

    private static func clamped(_ bytes: Int) -> Int { max(1, min(bytes, mostBytes)) }
}
