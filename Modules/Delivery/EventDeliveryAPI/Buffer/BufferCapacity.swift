import CoreTracker
import Locks

/// The capacity of the buffer: a number of events and of bytes, reserved without a lock.
///
/// The initializer of `DeliveryEngine` has the bound: 8,192 events by default, and 2 KB for each of them, but at least
/// 4 MB. Events of low priority fill three quarters of it, events of normal priority seven eighths, and events of high
/// priority all of it. Beyond its share, a new event is dropped.
///
/// A call can wait for capacity. Returned capacity goes to the waiting calls in the order of their arrival. Other calls
/// can take returned capacity only before a waiting call reserves it.
///
/// The bytes are the size of parameters and names in memory. Shared parameters count for each event.
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

    private struct Waiting {
        var calls: [(wait: Deadline, share: Share, priority: TrackOptions.Priority)] = []
        var isClosed = false
    }

    private let taken = Atomic<UInt64>(0)
    private let waiting = Mutex(Waiting())
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
    var events: Int {
        var share = Share()
        share.rawValue = taken.load(ordering: .relaxed)
        return share.events
    }

    /// Reserves capacity and replaces `held`.
    ///
    /// - Parameters:
    ///   - share: The capacity.
    ///   - priority: The priority of its event, which decides how full the buffer may be.
    ///   - held: The capacity that the call has reserved before.
    /// - Returns: The drop reason, without any change, if there is not enough.
    func take(_ share: Share, _ priority: TrackOptions.Priority, insteadOf held: Share = Share()) -> DropReason? {
        let maximum = maximum(for: priority)
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
    func mayTake(_ share: Share, _ priority: TrackOptions.Priority) -> Bool {
        share.bytes <= maximum(for: priority).bytes
    }

    /// Returns the part of the capacity that events of a priority can fill, which is at least one event.
    private func maximum(for priority: TrackOptions.Priority) -> (events: Int, bytes: UInt64) {
        switch priority {
        case .low: (maximum.events - maximum.events / 4, maximum.bytes - maximum.bytes / 4)
        case .normal: (maximum.events - maximum.events / 8, maximum.bytes - maximum.bytes / 8)
        case .high: maximum
        }
    }

    /// Returns capacity, and resumes the waiting calls if it is enough for them.
    func giveBack(_ share: Share) {
        guard share.rawValue > 0 else { return }
        taken.wrappingSubtract(share.rawValue, ordering: .relaxed)
        grant()
    }
}

/// Waiting for capacity.
extension BufferCapacity {
    /// Reserves capacity, and waits for it if there is not enough.
    ///
    /// - Parameters:
    ///   - share: The capacity, which must fit an empty buffer.
    ///   - priority: The priority of its event.
    ///   - deadline: The end of the wait. Cancelling the task and ``endWaiting()`` end it earlier.
    ///   - clock: The clock of the deadline.
    ///   - runtime: The tasks for the timer.
    /// - Returns: Whether the capacity is reserved. If the wait ends just when there is capacity, it may be.
    func reserve(
        _ share: Share,
        _ priority: TrackOptions.Priority,
        until deadline: MonotonicInstant,
        clock: any DeliveryClock,
        runtime: EngineRuntime
    ) async -> Bool {
        let wait = Deadline(deadline)
        // If another thread returns capacity after the attempt, it is granted after this block.
        let isReserved: Bool? = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            if waiting.calls.isEmpty, take(share, priority) == nil { return true }
            waiting.calls.append((wait, share, priority))
            return nil
        }
        if let isReserved { return isReserved }
        await wait.wait(clock: clock, runtime: runtime)
        let isGranted = waiting.withLock { waiting in
            guard let index = waiting.calls.firstIndex(where: { $0.wait === wait }) else { return true }
            waiting.calls.remove(at: index)
            return false
        }
        // A later call may need less than this one.
        if !isGranted { grant() }
        return isGranted
    }

    /// Ends all waits, including the waits of later calls.
    func endWaiting() {
        let calls = waiting.withLock { waiting in
            waiting.isClosed = true
            return waiting.calls
        }
        for call in calls { call.wait.end() }
    }

    /// The number of waiting calls.
    var waitingCalls: Int { waiting.withLock { $0.calls.count } }

    /// Reserves capacity for the waiting calls, in their order, as long as it is enough.
    private func grant() {
        let granted = waiting.withLock { waiting in
            let count = waiting.calls.firstIndex { take($0.share, $0.priority) != nil } ?? waiting.calls.count
            defer { waiting.calls.removeFirst(count) }
            return waiting.calls.prefix(count)
        }
        for call in granted { call.wait.end() }
    }
}

/// The size of an event.
extension EventBuffer {
    /// The maximum size of one event in memory, in bytes: several times the limit of any destination.
    private static let maximumEventBytes: UInt64 = 1 << 20

    /// The approximate size of an event in memory, in bytes.
    static func bytes(_ name: String, _ parameters: EventParameters, _ defaults: EventParameters) -> Int {
        // Each size is limited, so the sum of several cannot overflow.
        name.utf8.count &+ min(parameters.byteCount, .max >> 2) &+ min(defaults.byteCount, .max >> 2)
    }

    /// Returns the reason if an event exceeds a limit regardless of the free capacity.
    static func excess(
        _ parameters: EventParameters,
        _ defaults: EventParameters,
        _ share: BufferCapacity.Share
    ) -> DropReason? {
        if let excess = parameters.excess ?? defaults.excess {
            return excess == .tooDeep ? .tooDeep : .tooManyParameters
        }
        return share.bytes > maximumEventBytes ? .tooLarge : nil
    }
}
