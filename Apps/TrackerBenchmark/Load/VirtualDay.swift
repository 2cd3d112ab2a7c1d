import AppTracking
import CoreTracker
import EventDelivery
import Locks

/// A day on which a real engine with a real disk and a virtual clock delivers the events of a user.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
struct VirtualDay {
    /// The time in which the engine finishes the work of the day.
    private static let rest: Duration = .seconds(60)

    /// The requests of the day.
    let traffic: Traffic
    /// The number of syncs of the day, including the opening of the engine, or `nil` without a counter.
    let syncs: Int?
    /// The number of syncs in an hour without events after that day, or `nil` without a counter.
    let syncsWhileIdle: Int?
    /// The destinations, with the events that they have sent.
    let recordings: [DayRecording]

    /// Runs a day.
    ///
    /// - Throws: An error if an event was not delivered, or if the engine sent a request while it was idle.
    init(_ day: UsageDay, schedule: SendingSchedule, in directory: String) throws {
        let thread = VirtualThread(seed: 1)
        let counter = PreloadedCounter(of: .syncs)
        let recordings = try LiveEngine.destinations().map { DayRecording($0, thread) }
        let live = LiveEngine(thread.makeEngine())
        let delivery = AppDelivery(on: live.engine, backgroundTask: thread, environment: [:])
        let before = counter?.count ?? 0
        try thread.wait {
            try await live.open(
                in: directory,
                destinations: recordings,
                transport: ReceiverlessTransport(acknowledges: true),
                schedule: schedule
            )
        }
        var number = 0
        for session in day.sessions {
            thread.advance(to: session.start)
            delivery.receive(.becameActive)
            for time in session.events {
                thread.advance(to: time)
                live.tracker.track(ShopEvent(number: number))
                number += 1
            }
            thread.advance(to: session.end)
            delivery.receive(.enteredBackground)
        }
        thread.advance(to: day.end + Self.rest)
        let after = counter?.count ?? 0
        let traffic = Traffic(requests: recordings.flatMap(\.requests))
        thread.advance(to: day.end + Self.rest + .seconds(3_600))
        (syncs, syncsWhileIdle) = (counter.map { _ in Int(after - before) }, counter.map { Int($0.count - after) })
        guard try thread.wait(for: { await live.lossCount() }) == 0 else { throw BenchmarkError("events were lost") }
        _ = try thread.wait(for: { await live.engine.close(timeout: .zero) })
        guard traffic.eventCount == number * recordings.count,
            traffic.requests.count == recordings.reduce(0, { $0 + $1.requests.count })
        else { throw BenchmarkError("an event was late, or the idle engine has sent a request") }
        self.traffic = traffic
        self.recordings = recordings
    }
}

/// A destination wrapper that records the requests with their times, and the events of all requests.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class DayRecording: DestinationWrapper {
    private struct State {
        var tracked: [EventID: Duration] = [:]
        var requests: [Traffic.Request] = []
        var events: [OutgoingBatch.Event] = []
        var key = ""
    }

    let base: any Destination
    private let thread: VirtualThread
    private let state = Mutex(State())

    /// Wraps a destination of an engine on a thread.
    init(_ base: any Destination, _ thread: VirtualThread) {
        self.base = base
        self.thread = thread
    }

    /// The requests so far.
    var requests: [Traffic.Request] { state.withLock { $0.requests } }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try base.encode(event, into: &encoder)
        // An event is encoded at the virtual time at which it was tracked.
        state.withLock { $0.tracked[event.id] = thread.now }
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        let request = base.request(for: batch)
        guard batch.time != nil else { return request }  // a placeholder, which is never sent
        state.withLock { state in
            let delays = batch.events.map { event in state.tracked[event.id].map { thread.now - $0 } ?? .zero }
            state.events += batch.events
            state.key = batch.key
            state.requests.append(
                Traffic.Request(
                    time: thread.now,
                    service: lane.service,
                    bytes: request.wireByteCount,
                    delays: delays
                )
            )
        }
        return request
    }

    /// Returns the requests in which an SDK with a rule would have sent the same events.
    ///
    /// They have the heads and bodies of this destination, so they differ only by the rule.
    func requests(by rule: PeerRule, on day: UsageDay) -> [Traffic.Request] {
        let (events, key) = state.withLock { ($0.events, $0.key) }
        let times = day.events
        guard events.count == times.count else { return [] }
        return rule.batches(of: day).map { batch in
            let events = Array(events[batch.events])
            let request = base.request(for: OutgoingBatch(id: events[0].id, key: key, events: events))
            return Traffic.Request(
                time: batch.time,
                service: lane.service,
                bytes: request.wireByteCount,
                delays: times[batch.events].map { batch.time - $0 }
            )
        }
    }
}
