import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import DeliveryMetrics
@testable import EventTracking

@Suite(.timeLimit(.minutes(1))) struct OutcomeMailboxTests {
    private let clock = TestClock()
    private let lane = LaneID(product: "T", service: "lines")

    private func publish(_ numbers: some Sequence<UInt64>, on listeners: OutcomeListeners) {
        for number in numbers {
            listeners.publish(.accepted, lane: lane, CollectionOfOne(EventID(high: number, low: 0)))
        }
    }

    @Test func `a slow listener loses the oldest outcomes, and the next outcome has their number`() async {
        let listeners = OutcomeListeners(clock: clock)
        let slow = OutcomeMailbox.stream(of: listeners, bufferingNewest: 3)
        let quick = OutcomeMailbox.stream(of: listeners, bufferingNewest: 100)

        publish(1...10, on: listeners)
        var iterator = slow.makeAsyncIterator()
        let first = await iterator.next()
        publish(11...15, on: listeners)
        listeners.finish()
        var rest: [EventOutcome] = []
        while let outcome = await iterator.next() { rest.append(outcome) }
        var all: [EventOutcome] = []
        for await outcome in quick { all.append(outcome) }

        #expect((first?.id?.high, first?.missed) == (8, 7))
        #expect(rest.compactMap(\.id?.high) == [13, 14, 15])
        #expect(rest.map(\.missed) == [4, 0, 0])
        #expect(all.compactMap(\.id?.high) == Array(1...15))
        #expect(all.allSatisfy { $0.missed == 0 && $0.time == clock.wallTime() })
    }

    @Test(arguments: [1, 2, 3, 7, 64]) func `each outcome is either read or counted as missed, whatever the limit is`(
        limit: Int
    ) async {
        let listeners = OutcomeListeners(clock: clock)
        let outcomes = OutcomeMailbox.stream(of: listeners, bufferingNewest: limit)
        var random = SeededGenerator(seed: UInt64(limit))
        var (published, read, missed, last) = (0, 0, 0, UInt64(0))
        var iterator = outcomes.makeAsyncIterator()

        for _ in 0..<200 {
            let size = Int.random(in: 0...5, using: &random)
            publish((0..<size).map { UInt64(published + $0 + 1) }, on: listeners)
            published += size
            for _ in 0..<min(Int.random(in: 0...5, using: &random), published - read - missed, limit) {
                guard let outcome = await iterator.next() else { break }
                (read, missed) = (read + 1, missed + outcome.missed)
                #expect(outcome.id.map { $0.high > last } == true)
                last = outcome.id?.high ?? 0
                // The number of the outcome shows that all earlier ones were read or missed.
                #expect(Int(last) == read + missed)
            }
            if published - read - missed < 0 { Issue.record("more outcomes than were published") }
        }
        listeners.finish()
        while let outcome = await iterator.next() { (read, missed) = (read + 1, missed + outcome.missed) }

        #expect(read + missed == published)
    }

    @Test func `a listener that never reads keeps no more outcomes than its limit`() async {
        let listeners = OutcomeListeners(clock: clock)
        let outcomes = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8)

        for _ in 0..<50 { publish(1...1_000, on: listeners) }
        listeners.finish()
        var (count, missed) = (0, 0)
        for await outcome in outcomes { (count, missed) = (count + 1, missed + outcome.missed) }

        #expect((count, missed) == (8, 49_992))
    }

    @Test func `without a listener nothing is kept, and a later listener starts with later outcomes`() async {
        let listeners = OutcomeListeners(clock: clock)

        #expect(!listeners.hasListeners)
        publish(1...3, on: listeners)
        let outcomes = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8)
        #expect(listeners.hasListeners)
        publish([4], on: listeners)
        listeners.finish()

        var ids: [UInt64] = []
        for await outcome in outcomes { ids += [outcome.id?.high ?? 0] }
        #expect(ids == [4])
        #expect(!listeners.hasListeners)
    }

    @Test func `a listener that ends its loop is forgotten`() async {
        let listeners = OutcomeListeners(clock: clock)

        await listenOnce(to: listeners)

        #expect(!listeners.hasListeners)
    }

    private func listenOnce(to listeners: OutcomeListeners) async {
        let outcomes = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8)
        publish(1...3, on: listeners)
        for await outcome in outcomes {
            #expect(outcome.id?.high == 1)
            break
        }
    }

    @Test func `a cancelled listener ends and is forgotten, and the others continue`() async {
        let listeners = OutcomeListeners(clock: clock)
        let cancelled = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8)
        let other = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8)
        let task = Task {
            var count = 0
            for await _ in cancelled { count += 1 }
            return count
        }

        task.cancel()
        #expect(await task.value == 0)
        publish([1], on: listeners)
        listeners.finish()
        var count = 0
        for await _ in other { count += 1 }

        #expect(count == 1)
    }

    @Test func `a stream that is requested after the end ends at once`() async {
        let listeners = OutcomeListeners(clock: clock)
        listeners.finish()

        var iterator = OutcomeMailbox.stream(of: listeners, bufferingNewest: 8).makeAsyncIterator()

        #expect(await iterator.next() == nil)
        #expect(!listeners.hasListeners)
    }
}
