import CoreTracker
public import EventDelivery
public import EventTracking
import Locks

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A record of the events that the app has sent: their number by name, day, service and purpose.
///
/// ```swift
/// let record = SentRecord(file: folder.appending(path: "sent.json"))
/// configuration.destinations = record.recording(configuration.destinations)
/// ```
///
/// It answers a user's question about the data that left this device in the last 30 days, and has no parameter of an
/// event, no id and no user. It counts an event when its receiver has acknowledged it, also one of an earlier run.
///
/// `track` and the engine never wait for it. A second after the first change, it writes its file on a queue of its own.
/// If the process is killed, the counts of this second are lost.
public final class SentRecord: Sendable {
    /// The counts since the last change of the file.
    private struct Waiting {
        var counts = SentCounts()
        /// The number of erasures before these counts.
        var erasures = 0
        /// The engine's last erasure that is included in the number.
        var lastErasure: UInt64 = 0
        var isScheduled = false
    }

    /// The time from the first change to the writing of the file.
    private static let delay = Duration.seconds(1)

    private let engine: DeliveryEngine
    private let waiting = Mutex(Waiting())
    private let file: SentFile

    /// Creates a record of the events of an engine.
    ///
    /// - Parameters:
    ///   - file: The file of the record, in an existing folder that is no engine's directory, or `nil` to keep the
    ///     record in memory. One record at a time may use it.
    ///   - engine: The engine. It need not be open.
    ///   - report: Receives each fault of the file once: a damaged file, with which the record begins again, or a
    ///     file that cannot be read or written. Without it, the sentence is written to the engine's log.
    public init(
        file: URL?,
        on engine: DeliveryEngine = .shared,
        report: (@Sendable (_ fault: String) -> Void)? = nil
    ) {
        self.engine = engine
        let clock = engine.buffer.clock
        self.file = SentFile(file, executor: engine.buffer.runtime.executor()) { fault in
            if let report { return report(fault) }
            if SystemLog.choice(with: clock) != "off" { SystemLog.write(fault, level: "warning") }
        }
    }

    /// Returns destinations that send the same as others, and record the acknowledged events.
    ///
    /// - Parameter destinations: The destinations.
    /// - Returns: The recording destinations, in the same order, for the engine's configuration.
    public func recording(_ destinations: [any Destination]) -> [any Destination] {
        destinations.map { RecordingDestination($0, record: self) }
    }

    /// Returns the record as JSON, for the user.
    ///
    /// The object has `version`, which is 1, and `events`, sorted by `day`, which is in UTC. The other keys of an event
    /// are `product`, `service`, `purpose`, `name` and `count`. Events without a name, such as some profile updates,
    /// and names that are new on their day beyond 4,096 entries are counted as `(other)`.
    ///
    /// - Returns: One line.
    public func json() async -> String {
        let (counts, erasures) = take()
        return await file.json(after: counts, erasures, within: days)
    }

    /// Erases the record and its file.
    ///
    /// An erasure of a user or of everything by the engine in this process erases the record too, at the latest with
    /// the next acknowledged event or the next call of ``json()``. Call this function with it, so that the file is
    /// deleted when it returns.
    public func erase() async {
        let erasures = waiting.withLock { waiting in
            waiting.counts = SentCounts()
            waiting.erasures += 1
            return waiting.erasures
        }
        _ = await file.json(after: SentCounts(), erasures, within: days)
    }

    /// Counts acknowledged events.
    fileprivate func add(_ names: [String?], of destination: any Destination) {
        let today = day(after: 0)
        let isFirst = waiting.withLock { waiting in
            includeErasures(&waiting)
            for name in names {
                waiting.counts.add(name, on: today, lane: destination.lane, purpose: destination.purpose)
            }
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        guard isFirst else { return }
        let clock = engine.buffer.clock
        let due = clock.monotonicTime().advanced(by: SentRecord.delay)
        engine.buffer.runtime.task {
            try? await clock.sleep(until: due)
            let (counts, erasures) = self.take()
            _ = await self.file.json(after: counts, erasures, within: self.days)
        }
    }

    /// The first and the last day of the record.
    ///
    /// The last one is in the future, so that the counts stay if the clock is set back.
    private var days: ClosedRange<String> {
        let (first, last) = (day(after: -SentCounts.microseconds), day(after: SentCounts.microseconds))
        return min(first, last)...last
    }

    /// Returns the day in UTC at a distance from now.
    private func day(after microseconds: Int64) -> String {
        let now = engine.buffer.clock.wallTime().microseconds
        return String(Timestamp(microseconds: now.saturatingAdd(microseconds)).rfc3339.prefix(10))
    }

    /// Removes and returns the counts, and the number of erasures before them.
    private func take() -> (SentCounts, Int) {
        waiting.withLock { waiting in
            includeErasures(&waiting)
            defer { (waiting.counts, waiting.isScheduled) = (SentCounts(), false) }
            return (waiting.counts, waiting.erasures)
        }
    }

    private func includeErasures(_ waiting: inout Waiting) {
        let last = engine.buffer.lastErasure
        guard last != waiting.lastErasure else { return }
        (waiting.counts, waiting.lastErasure) = (SentCounts(), last)
        waiting.erasures += 1
    }
}

/// A destination that passes the names of acknowledged events to a record.
private struct RecordingDestination: DestinationWrapper {
    let base: any Destination
    private let record: SentRecord
    /// Whether the service receives events, and not profile updates alone.
    ///
    /// In an update, a trait can have the key of a name.
    private let hasNames: Bool

    init(_ base: any Destination, record: SentRecord) {
        (self.base, self.record) = (base, record)
        // Ask the innermost destination, so that no wrapper counts the sample event.
        var inner = base
        while let wrapper = inner as? any DestinationWrapper { inner = wrapper.base }
        hasNames = base.updates.isEmpty || inner.acceptsEvents
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let result = base.result(for: response, of: batch)
        switch result {
        case .delivered: record.add(batch.events.map(name), of: base)
        case .partial(let failed):
            let sent = batch.events.indices.filter { failed[$0] == nil }
            record.add(sent.map { name(of: batch.events[$0]) }, of: base)
        case .retry, .refused, .suspect, .tooLarge, .paused: break
        }
        return result
    }

    private func name(of event: OutgoingBatch.Event) -> String? { hasNames ? event.sentName : nil }
}

extension Destination {
    /// Whether the destination encodes ordinary events, and not profile updates alone.
    fileprivate var acceptsEvents: Bool {
        let time = Timestamp(microseconds: 1_772_359_200_000_000)
        let event = OutgoingEvent(
            id: EventID(high: 0, low: 1),
            name: "event",
            parameters: [:],
            time: time,
            identity: Identity(deviceID: "0f1e2d3c4b5a6978", userID: "u", sessionID: "s", sessionStart: time),
            sequence: 1
        )
        var encoder = EventEncoder()
        return (try? encode(event, into: &encoder)) != nil
    }
}

extension OutgoingBatch.Event {
    /// The event's name, from the member in which the services write it.
    fileprivate var sentName: String? {
        guard let members = JSONReader.object(in: fragment) else { return nil }
        for key: ParameterKey in ["name", "eventName", "event", "eventType"] {
            if case .string(let name)? = members[key] { return name }
        }
        if case .object(let inner)? = members["xdm"], case .string(let name)? = inner["eventType"] { return name }
        return nil
    }
}
