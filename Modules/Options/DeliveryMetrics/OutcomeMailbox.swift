import EventDelivery
public import EventTracking
import Locks

extension DeliveryEngine {
    /// Returns a stream of all outcomes from now on, for the bridge to a log or to metrics.
    ///
    /// The stream is bounded: a slow listener loses the oldest outcomes, and `EventOutcome.missed` of the next one has
    /// their number. Delivery never waits for a listener. The stream ends when the engine is closed. If a listener
    /// misses nothing, its numbers of accepted, delivered and dropped events for each lane match the ledger.
    ///
    /// Without a listener, outcomes cost nothing but a check for each group of events.
    ///
    /// - Parameter limit: The maximum number of outcomes waiting for the listener, about 100 bytes each.
    /// - Returns: The stream. It supports one listener; call this function for each of several.
    public func outcomes(bufferingNewest limit: Int = 8_192) -> AsyncStream<EventOutcome> {
        OutcomeMailbox.stream(of: buffer.outcomes, bufferingNewest: limit)
    }
}

/// A bounded queue of outcomes for one listener, which loses and counts the oldest ones.
final class OutcomeMailbox: OutcomeListener {
    private let continuation: AsyncStream<EventOutcome>.Continuation
    /// The number of lost outcomes before the oldest waiting one.
    private let missed = Atomic(0)

    private init(_ continuation: AsyncStream<EventOutcome>.Continuation) {
        self.continuation = continuation
    }

    /// Returns a stream of outcomes from now on.
    ///
    /// The mailbox is removed from the listeners when the stream is released, or when its loop is cancelled.
    static func stream(of outcomes: OutcomeListeners, bufferingNewest limit: Int) -> AsyncStream<EventOutcome> {
        let (queue, continuation) = AsyncStream.makeStream(
            of: EventOutcome.self,
            bufferingPolicy: .bufferingNewest(max(1, limit))
        )
        let mailbox = OutcomeMailbox(continuation)
        continuation.onTermination = { [weak outcomes] _ in outcomes?.remove(mailbox) }
        outcomes.add(mailbox)
        return AsyncStream {
            for await var outcome in queue {
                outcome.missed = mailbox.missed.exchange(0, ordering: .relaxed)
                return outcome
            }
            return nil
        }
    }

    func receive(_ outcomes: [EventOutcome]) {
        for outcome in outcomes {
            if case .dropped = continuation.yield(outcome) { missed.wrappingAdd(1, ordering: .relaxed) }
        }
    }

    func finish() { continuation.finish() }
}
