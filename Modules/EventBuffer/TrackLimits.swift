import Locks

/// How many events of a name are taken at all: sampling by session, and a cap on the rate.
public struct TrackLimits: Sendable, Hashable {
    /// The share of sessions, from 0 to 1, whose events of a name are taken; a name without an entry is taken always.
    ///
    /// A session is either in or out for a name, so that funnels stay whole.
    public var sampling: [String: Double]
    /// The most events of one name that are taken in a minute; `nil` for no cap.
    public var eventsPerMinute: Int?

    /// Creates limits; shares are clamped to 0…1, and a rate below 0 is taken as 0.
    public init(sampling: [String: Double] = [:], eventsPerMinute: Int? = nil) {
        self.sampling = sampling.mapValues { $0.isNaN ? 1 : min(1, max(0, $0)) }
        self.eventsPerMinute = eventsPerMinute.map { max(0, $0) }
    }

    /// No sampling and no cap.
    public static let none = TrackLimits()
}

/// Applies ``TrackLimits`` to one event after the other.
struct TrackLimiter: Sendable {
    private let limits: TrackLimits
    private var minute: Int64 = .min
    private var counts: [String: Int] = [:]

    init(_ limits: TrackLimits) {
        self.limits = limits
    }

    /// Says why an event is not taken; `nil` when it is.
    mutating func refusal(of name: String, session: String, now: MonotonicInstant) -> DropReason? {
        if let share = limits.sampling[name], !TrackLimiter.isSampled(name + session, share: share) {
            return .sampledOut
        }
        guard let cap = limits.eventsPerMinute else { return nil }
        let current = now.nanoseconds / 60_000_000_000
        // Threads that have read the clock earlier may come later.
        if current > minute {
            minute = current
            counts.removeAll(keepingCapacity: true)
        }
        counts[name, default: 0] += 1
        return counts[name, default: 0] > cap ? .rateCapped : nil
    }

    private static func isSampled(_ text: String, share: Double) -> Bool {
        // FNV-1a, whose highest bits depend too little on the last bytes; the finalizer mixes them.
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Double(EventIDGenerator.mixed(hash)) < share * 0x1p64
    }
}

/// How much room the intake has: a number of events and a number of bytes, taken and given back without a lock.
///
/// Bytes are those that parameters and names take in memory; parameters that events share count for each.
final class IntakeRoom: Sendable {
    /// The room of some events.
    struct Share: Sendable {
        private static let byteBits: UInt64 = 40
        /// The most events and bytes that a share can say.
        static let most = (events: 1 << 22, bytes: UInt64(1) << (byteBits - 1))

        /// The events in the upper bits, the bytes in the lower ones.
        fileprivate(set) var rawValue: UInt64 = 0

        init() {}

        /// The room of one event.
        init(bytes: Int) {
            rawValue = 1 << Share.byteBits | min(UInt64(clamping: bytes), Share.most.bytes)
        }

        var events: Int { Int(truncatingIfNeeded: rawValue >> Share.byteBits) }
        var bytes: UInt64 { rawValue & ((1 << Share.byteBits) - 1) }

        static func += (left: inout Share, right: Share) {
            left.rawValue &+= right.rawValue
        }
    }

    private let taken = Atomic<UInt64>(0)
    private let most: (events: Int, bytes: UInt64)

    /// - Parameter bytes: The most bytes; `nil` for 2 KB for each event, and 4 MB at least.
    init(events: Int, bytes: Int?) {
        let events = min(max(1, events), Share.most.events)
        let bytes = bytes.map { UInt64(clamping: max(1, $0)) } ?? max(4_000_000, UInt64(events) * 2_048)
        most = (events, min(bytes, Share.most.bytes))
    }

    /// The events that have room now.
    var events: Int {
        var share = Share()
        share.rawValue = taken.load(ordering: .relaxed)
        return share.events
    }

    /// Takes room in the place of some that the caller has; returns why there is none, and then changes nothing.
    func take(_ share: Share, insteadOf held: Share = Share()) -> DropReason? {
        var found = taken.load(ordering: .relaxed)
        while true {
            var next = Share()
            next.rawValue = found &- held.rawValue &+ share.rawValue
            guard next.events <= most.events else { return .bufferFull }
            guard next.bytes <= most.bytes else { return .bufferBytes }
            let (isTaken, now) = taken.weakCompareExchange(expected: found, desired: next.rawValue, ordering: .relaxed)
            if isTaken { return nil }
            found = now
        }
    }

    /// Whether a share would find room if nobody else had any.
    func mayTake(_ share: Share) -> Bool { share.bytes <= most.bytes }

    /// Gives room back.
    func giveBack(_ share: Share) {
        taken.wrappingSubtract(share.rawValue, ordering: .relaxed)
    }
}
