package import CoreTracker
import Locks

/// The capacity of the buffer: a number of events and of bytes, reserved without a lock.
///
/// The initializer of `DeliveryEngine` has the bound: 8,192 events by default, and 2 KB for each of them, but at least
/// 4 MB. Events of low priority fill three quarters of it, events of normal priority seven eighths, and events of high
/// priority all of it. Beyond its share, a new event is dropped.
///
/// The bytes are the size of parameters and names in memory. Shared parameters count for each event. The functions for a
/// call of `track` are inlined into it.
package final class BufferCapacity: Sendable {
    /// The capacity for some events.
    package struct Share: Sendable {
        private static let byteBits: UInt64 = 40
        /// The maximum numbers of events and bytes of a share.
        static let maximum = (events: 1 << 22, bytes: UInt64(1) << (byteBits - 1))

        /// The number of events in the upper bits, and of bytes in the lower ones.
        fileprivate(set) var rawValue: UInt64 = 0

        package init() {}

        fileprivate init(rawValue: UInt64) { self.rawValue = rawValue }

        /// The capacity for one event.
        package init(bytes: Int) {
            rawValue = 1 << Share.byteBits | min(UInt64(clamping: bytes), Share.maximum.bytes)
        }

        var events: Int { Int(truncatingIfNeeded: rawValue >> Share.byteBits) }
        var bytes: UInt64 { rawValue & ((1 << Share.byteBits) - 1) }

        static func += (left: inout Share, right: Share) {
            left.rawValue &+= right.rawValue
        }
    }

    private let taken = Atomic<UInt64>(0)
    /// The hook for returned capacity, and for the closing of the buffer.
    package let returned = OptionHook()
    private let maximum: (events: Int, bytes: UInt64)

    /// - Parameters:
    ///   - events: The maximum number of events.
    ///   - bytes: The maximum number of bytes, or `nil` for 2 KB for each event, but at least 4 MB.
    init(events: Int, bytes: Int?) {
        let events = min(max(1, events), Share.maximum.events)
        let bytes = bytes.map { UInt64(clamping: max(1, $0)) } ?? max(4_000_000, UInt64(events) * 2_048)
        maximum = (events, min(bytes, Share.maximum.bytes))
    }

    /// The number of events with capacity now.
    var events: Int { Share(rawValue: taken.load(ordering: .relaxed)).events }

    /// Reserves capacity and replaces `held`.
    ///
    /// - Parameters:
    ///   - share: The capacity.
    ///   - priority: The priority of its event, which decides how full the buffer may be.
    ///   - held: The capacity that the call has reserved before.
    /// - Returns: The drop reason, without any change, if there is not enough.
    @inline(__always)
    package func take(_ share: Share, _ priority: TrackOptions.Priority, insteadOf held: Share = Share()) -> DropReason?
    {
        let maximum = maximum(for: priority)
        var found = taken.load(ordering: .relaxed)
        while true {
            let next = Share(rawValue: found &- held.rawValue &+ share.rawValue)
            guard next.events <= maximum.events else { return .bufferFull }
            guard next.bytes <= maximum.bytes else { return .bufferBytes }
            let (isTaken, now) = taken.weakCompareExchange(expected: found, desired: next.rawValue, ordering: .relaxed)
            if isTaken { return nil }
            found = now
        }
    }

    /// Whether a share would fit if the buffer were empty.
    package func mayTake(_ share: Share, _ priority: TrackOptions.Priority) -> Bool {
        share.bytes <= maximum(for: priority).bytes
    }

    /// Returns the part of the capacity that events of a priority can fill, which is at least one event.
    @inline(__always) private func maximum(for priority: TrackOptions.Priority) -> (events: Int, bytes: UInt64) {
        let part = priority == .low ? 2 : priority == .normal ? 3 : UInt64.bitWidth
        return (maximum.events - maximum.events >> part, maximum.bytes - maximum.bytes >> part)
    }

    /// Returns capacity.
    package func giveBack(_ share: Share) {
        guard share.rawValue > 0 else { return }
        taken.wrappingSubtract(share.rawValue, ordering: .relaxed)
        returned.call()
    }
}

/// The time of a call that could wait for capacity, and its reserved capacity, if any.
package struct ReservedCapacity: Sendable {
    let time: Timestamp
    let share: BufferCapacity.Share?

    package init(time: Timestamp, share: BufferCapacity.Share?) {
        (self.time, self.share) = (time, share)
    }
}

/// The size of an event.
extension BufferCapacity.Share {
    /// The maximum size of one event in memory, in bytes: several times the limit of any destination.
    private static let maximumEventBytes: UInt64 = 1 << 20

    /// Returns the capacity for an event, from its approximate size in memory.
    ///
    /// An initializer would retain the name and the parameters, so this is a function.
    @inline(__always)
    package static func of(_ name: String, _ parameters: EventParameters, _ defaults: EventParameters) -> Self {
        // Each size is limited, so the sum of several cannot overflow.
        Self(bytes: name.utf8.count &+ min(parameters.byteCount, .max >> 2) &+ min(defaults.byteCount, .max >> 2))
    }

    /// Returns the reason if the event exceeds a limit regardless of the free capacity.
    @inline(__always) package func excess(_ parameters: EventParameters, _ defaults: EventParameters) -> DropReason? {
        DropReason.excess(of: parameters, defaults) ?? (bytes > Self.maximumEventBytes ? .tooLarge : nil)
    }
}
