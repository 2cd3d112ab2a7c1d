import CoreTracker
import Locks
import Testing

#if canImport(XCTest)
import XCTest
#endif

/// A log of a mock's received events, with the comparisons for its expectations.
final class EventLog: Sendable {
    private let recorded = Mutex<[RecordedEvent]>([])

    /// The events so far, oldest first.
    var events: [RecordedEvent] { recorded.withLock { $0 } }

    /// Records the event.
    ///
    /// Its services are read once, outside the lock.
    func append(_ event: some CoreTrackable) {
        let entry = RecordedEvent(event)
        recorded.withLock { $0.append(entry) }
    }

    /// Removes all events.
    func removeAll() {
        recorded.withLock { $0.removeAll() }
    }

    /// Compares the events with the expected ones, in order.
    ///
    /// - Returns: A report of the differences, or `nil` if there are none.
    func mismatch(with expected: [any CoreTrackable]) -> String? {
        let lines = lines(with: expected)
        return message(EventDifference(expected: lines.expected, tracked: lines.tracked))
    }

    /// Compares the events with the expected ones, in any order.
    ///
    /// - Returns: A report of the differences, or `nil` if there are none.
    func mismatch(inAnyOrder expected: [any CoreTrackable]) -> String? {
        let lines = lines(with: expected)
        return message(EventDifference(inAnyOrder: lines.expected, tracked: lines.tracked))
    }

    /// Searches for the expected events among the recorded ones, in order.
    ///
    /// - Returns: A report of the missing events, or `nil` if there are none.
    func mismatch(including expected: [any CoreTrackable]) -> String? {
        let lines = lines(with: expected)
        return message(EventDifference(expected: lines.expected, tracked: lines.tracked).allowingOthers)
    }

    /// Searches for a text in the names, keys and values of the recorded events.
    ///
    /// - Returns: A report of the events with the text, or `nil` if there are none.
    func mismatch(containing text: String) -> String? {
        let findings = events.flatMap { event in
            event.texts.filter { $0.contains(text) }.map { "+ \(event.title)\n+   \($0.debugDescription)" }
        }
        return findings.isEmpty ? nil : "\(text.debugDescription) was tracked:\n" + findings.joined(separator: "\n")
    }

    /// Searches for unprotected personal data in the recorded events.
    ///
    /// - Returns: A report of the events with personal data, or `nil` if there are none.
    func personalData() -> String? {
        let findings = events.flatMap { event in
            event.personalLines.map { "+ \(event.title)\n+ \($0)" }
        }
        return findings.isEmpty ? nil : "personal data was tracked:\n" + findings.joined(separator: "\n")
    }

    /// Returns the lines of the expected and of the recorded events.
    ///
    /// If several types have the same name, their full names are used.
    private func lines(with expected: [any CoreTrackable]) -> (expected: [[String]], tracked: [[String]]) {
        let (expected, tracked) = (expected.map { RecordedEvent($0) }, events)
        let types = Dictionary(grouping: expected + tracked, by: \.title).mapValues { events in
            Set(events.map { ObjectIdentifier(type(of: $0.event)) })
        }
        func lines(_ event: RecordedEvent) -> [String] {
            guard let own = types[event.title], own.count > 1 else { return event.lines }
            return [String(reflecting: type(of: event.event))] + event.lines.dropFirst()
        }
        return (expected.map(lines), tracked.map(lines))
    }

    private func message(_ difference: EventDifference) -> String? {
        difference.isEmpty ? nil : difference.description
    }
}

/// An entry of the event log for a call other than a `CoreTrackable`.
struct LoggedCall<Call: Sendable>: CoreTrackable {
    /// The call's own value.
    let call: Call
    let services: [EventService]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - call: The call's own value.
    ///   - event: The event for the report of a mismatch.
    init(call: Call, as event: VendorEvent) {
        self.call = call
        services = [.vendor(event)]
    }
}

/// The position of an expectation in a test's source.
struct Caller: Sendable {
    /// The file in the compiler's form, `Module/File.swift`.
    let fileID: StaticString
    /// The file's path.
    let filePath: StaticString
    /// The line, starting at 1.
    let line: UInt
    /// The column, starting at 1.
    let column: UInt

    /// Fails the running test at this position.
    ///
    /// Swift Testing identifies its test by the current task. If there is none, an XCTest is running, or a thread
    /// without a test. Both frameworks receive the failure in that case, because each ignores failures outside its own
    /// tests.
    ///
    /// - Parameter message: The failure. If it is `nil`, nothing happens.
    func fail(_ message: String?) {
        guard let message else { return }
        if let collected = ExpectationFailure.collected {
            collected.failures.withLock {
                $0.append(ExpectationFailure(message: message, fileID: "\(fileID)", line: line))
            }
            return
        }
        #if canImport(XCTest)
        if Test.current == nil { XCTFail(message, file: filePath, line: line) }
        #endif
        let location = SourceLocation(
            fileID: fileID.description,
            filePath: filePath.description,
            line: Int(line),
            column: Int(column)
        )
        Issue.record(Comment(rawValue: message), sourceLocation: location)
    }
}

/// A failure of a mock's expectation, as a value: the tests of the mocks compare it.
package struct ExpectationFailure: Sendable {
    /// The text of the test framework's report.
    package let message: String
    /// The file of the expectation in the compiler's form, `Module/File.swift`.
    package let fileID: String
    /// The line of the expectation, starting at 1.
    package let line: UInt

    @TaskLocal fileprivate static var collected: FailureLog?

    /// Runs expectations without failing the running test.
    ///
    /// - Parameter body: The expectations.
    /// - Returns: Their failures, in order.
    package static func all(of body: () throws -> Void) rethrows -> [ExpectationFailure] {
        let failures = FailureLog()
        try $collected.withValue(failures, operation: body)
        return failures.failures.withLock { $0 }
    }
}

/// The failures of expectations in a test of a mock.
private final class FailureLog: Sendable {
    let failures = Mutex<[ExpectationFailure]>([])
}
