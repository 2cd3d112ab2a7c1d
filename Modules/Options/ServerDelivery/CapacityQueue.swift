import CoreTracker
import EventTracking
import Locks

/// The calls that wait for capacity in an engine's buffer, instead of dropping their event.
///
/// Returned capacity goes to the waiting calls in the order of their arrival. A call that does not fit delays the later
/// calls of its priority and of lower ones. Calls of higher priorities go past it. Calls that do not wait can take
/// returned capacity only before a waiting call reserves it.
final class CapacityQueue: Sendable {
    private struct Call {
        let wait: Deadline
        let share: BufferCapacity.Share
        let priority: TrackOptions.Priority
    }

    /// The buffer, which owns the queue.
    private unowned let buffer: EventBuffer
    private let waiting = Mutex<[Call]>([])

    init(_ buffer: EventBuffer) {
        self.buffer = buffer
        buffer.room.returned.set { [unowned self] in self.grant() }
    }

    /// The number of waiting calls.
    var count: Int { waiting.withLock { $0.count } }

    /// Reserves capacity, and waits for it if there is not enough.
    ///
    /// - Parameters:
    ///   - share: The capacity, which must fit an empty buffer.
    ///   - priority: The priority of its event.
    ///   - limit: The maximum wait. Cancelling the task and closing the engine end it earlier.
    /// - Returns: Whether the capacity is reserved. If the wait ends just when there is capacity, it may be.
    func reserve(
        _ share: BufferCapacity.Share,
        _ priority: TrackOptions.Priority,
        waitingUpTo limit: Duration
    ) async -> Bool {
        let call = Call(
            wait: Deadline(buffer.clock.monotonicTime().advanced(by: limit)),
            share: share,
            priority: priority
        )
        // If another thread returns capacity after the attempt, it is granted after this block.
        let isReserved: Bool? = waiting.withLock { waiting in
            guard !buffer.isClosed else { return false }
            let isNext = !waiting.contains { $0.priority >= priority }
            if isNext, buffer.room.take(share, priority) == nil { return true }
            waiting.append(call)
            return nil
        }
        if let isReserved { return isReserved }
        await call.wait.wait(clock: buffer.clock, runtime: buffer.runtime)
        let isGranted = waiting.withLock { waiting in
            guard let index = waiting.firstIndex(where: { $0.wait === call.wait }) else { return true }
            waiting.remove(at: index)
            return false
        }
        // A later call may need less than this one.
        if !isGranted { grant() }
        return isGranted
    }

    /// Reserves capacity for each waiting call that fits, in the order of their arrival.
    ///
    /// If the buffer is closed, it ends all waits without capacity.
    private func grant() {
        let ended = waiting.withLock { waiting in
            guard !buffer.isClosed else { return waiting }
            var ended: [Call] = []
            // The highest priority of a call that does not fit.
            var blocked: TrackOptions.Priority?
            waiting.removeAll { call in
                if let blocked, call.priority <= blocked { return false }
                guard buffer.room.take(call.share, call.priority) == nil else {
                    blocked = call.priority
                    return false
                }
                ended.append(call)
                return true
            }
            return ended
        }
        for call in ended { call.wait.end() }
    }
}

extension EventBuffer {
    /// The calls that wait for capacity.
    var capacityQueue: CapacityQueue { options.object { CapacityQueue(self) } }
}
