import Locks

/// Limits on the events of one name: sampling by session, and a maximum rate.
///
/// A limits document, which the app passes to `DeliveryEngine.setLimits(document:)`, precedes them.
public struct TrackLimits: Sendable, Hashable {
    /// The share of sessions, from 0 to 1, whose events of a name are accepted.
    ///
    /// Names without an entry are always accepted.
    ///
    /// For each name, a session is either included or excluded as a whole, which keeps funnels complete.
    public var sampling: [String: Double]
    /// The maximum number of accepted events of one name per minute, or `nil` for no limit.
    public var eventsPerMinute: Int?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - sampling: The shares of sessions by event name, clamped to 0…1.
    ///   - eventsPerMinute: The maximum number of events of one name per minute. A number below 0 becomes 0.
    public init(sampling: [String: Double] = [:], eventsPerMinute: Int? = nil) {
        self.sampling = sampling.mapValues { $0.isNaN ? 1 : min(1, max(0, $0)) }
        self.eventsPerMinute = eventsPerMinute.map { max(0, $0) }
    }

    /// No sampling and no maximum rate.
    public static let none = TrackLimits()
}

/// The capacity of the buffer: a number of events and of bytes, reserved and returned without a lock.
///
/// The bytes are those of parameters and names in memory. Parameters that several events share count for each event.
final class BufferCapacity: Sendable {
    /// The capacity for some events.
    struct Share: Sendable {
        private static let byteBits: UInt64 = 40
        /// The maximum numbers of events and bytes of a share.
        static let maximum = (events: 1 << 22, bytes: UInt64(1) << (byteBits - 1))

        /// The number of events in the upper bits, and of bytes in the lower ones.
        fileprivate(set) var rawValue: UInt64 = 0

        init() {}

        /// The capacity for one event.
        init(bytes: Int) {
            rawValue = 1 << Share.byteBits | min(UInt64(clamping: bytes), Share.maximum.bytes)
        }

        var events: Int { Int(truncatingIfNeeded: rawValue >> Share.byteBits) }
        var bytes: UInt64 { rawValue & ((1 << Share.byteBits) - 1) }

        static func += (left: inout Share, right: Share) {
            left.rawValue &+= right.rawValue
        }
    }

    private let taken = Atomic<UInt64>(0)
    private let maximum: (events: Int, bytes: UInt64)

    /// - Parameters:
    ///   - events: The maximum number of events.
    ///   - bytes: The maximum number of bytes, or `nil` for 2 KB for each event, but at least 4 MB.
    init(events: Int, bytes: Int?) {
        let events = min(max(1, events), Share.maximum.events)
        let bytes = bytes.map { UInt64(clamping: max(1, $0)) } ?? max(4_000_000, UInt64(events) * 2_048)
        maximum = (events, min(bytes, Share.maximum.bytes))
    }

    /// The number of events that have capacity now.
    var events: Int {
        var share = Share()
        share.rawValue = taken.load(ordering: .relaxed)
        return share.events
    }

    /// Reserves capacity and replaces `held`.
    ///
    /// Returns the drop reason, without any change, if there is not enough.
    func take(_ share: Share, insteadOf held: Share = Share()) -> DropReason? {
        var found = taken.load(ordering: .relaxed)
        while true {
            var next = Share()
            next.rawValue = found &- held.rawValue &+ share.rawValue
            guard next.events <= maximum.events else { return .bufferFull }
            guard next.bytes <= maximum.bytes else { return .bufferBytes }
            let (isTaken, now) = taken.weakCompareExchange(expected: found, desired: next.rawValue, ordering: .relaxed)
            if isTaken { return nil }
            found = now
        }
    }

    /// Whether a share would fit if the buffer were empty.
    func mayTake(_ share: Share) -> Bool { share.bytes <= maximum.bytes }

    /// Returns capacity.
    func giveBack(_ share: Share) {
        taken.wrappingSubtract(share.rawValue, ordering: .relaxed)
    }
}
