import CoreTracker
import Locks

/// What a mock was handed, oldest first, and how it differs from what a test expects.
final class EventLog: Sendable {
    private let recorded = Mutex<[RecordedEvent]>([])

    /// The events so far.
    var events: [RecordedEvent] { recorded.withLock { $0 } }

    /// Keeps an event as it is now; its services are asked for outside the lock, once.
    func append(_ event: some CoreTrackable) {
        let entry = RecordedEvent(event)
        recorded.withLock { $0.append(entry) }
    }

    /// Forgets all events.
    func removeAll() {
        recorded.withLock { $0.removeAll() }
    }

    /// Says how the events differ from exactly the expected ones in their order; `nil` when they do not.
    func mismatch(with expected: [any CoreTrackable]) -> String? {
        message(EventDifference(expected: lines(of: expected), tracked: events.map(\.lines)))
    }

    /// Says how the events differ from exactly the expected ones in any order; `nil` when they do not.
    func mismatch(inAnyOrder expected: [any CoreTrackable]) -> String? {
        message(EventDifference(inAnyOrder: lines(of: expected), tracked: events.map(\.lines)))
    }

    /// Says which of the expected events are not among the tracked ones in their order; `nil` when all are.
    func mismatch(including expected: [any CoreTrackable]) -> String? {
        message(EventDifference(expected: lines(of: expected), tracked: events.map(\.lines)).allowingOthers)
    }

    /// Says which events hand a text to a service; `nil` when none does.
    func mismatch(containing text: String) -> String? {
        let needle = text.debugDescription.dropFirst().dropLast()
        let findings = events.flatMap { event in
            event.lines.dropFirst().filter { $0.contains(needle) }.map { "+ \(event.title)\n+ \($0)" }
        }
        return findings.isEmpty ? nil : "\(text.debugDescription) was tracked:\n" + findings.joined(separator: "\n")
    }

    /// Says which events hand a service something of a person as it is; `nil` when none does.
    func personalData() -> String? {
        let findings = events.flatMap { event in
            event.personalLines.map { "+ \(event.title)\n+ \($0)" }
        }
        return findings.isEmpty ? nil : "personal data was tracked:\n" + findings.joined(separator: "\n")
    }

    private func lines(of events: [any CoreTrackable]) -> [[String]] {
        events.map { RecordedEvent($0).lines }
    }

    private func message(_ difference: EventDifference) -> String? {
        difference.isEmpty ? nil : difference.description
    }
}
