#if canImport(XCTest)
import CoreTrackerTesting
import Locks
import XCTest

/// A test of the mock in XCTest.
final class MockTrackerXCTests: XCTestCase {
    private struct Failure: Equatable, Sendable {
        let line: Int
        let text: String
    }

    /// The expected failures so far, or `nil` if none are expected.
    private let kept = Mutex<[Failure]?>(nil)

    func testExactlyTheTrackedEventsSatisfyAnExpectation() {
        let tracker = MockTracker()

        tracker.track(BasketFilled(item: "7"))

        tracker.expect([BasketFilled(item: "7")])
    }

    func testAFailedExpectationStandsAtItsOwnLine() {
        let tracker = MockTracker()

        tracker.track(BasketFilled(item: "7"))
        let line = #line + 1
        let failures = failures { tracker.expect([BasketFilled(item: "8")]) }

        XCTAssertEqual(failures.map(\.line), [line])
        XCTAssertTrue(failures.allSatisfy { $0.text.contains(#"−         "item_id": "8""#) })
    }

    private func failures(of body: () -> Void) -> [Failure] {
        kept.withLock { $0 = [] }
        body()
        return kept.withLock { $0.take() } ?? []
    }

    /// Stores a failure if failures are expected, and returns whether it did.
    private func keeps(_ failure: Failure) -> Bool {
        kept.withLock { $0?.append(failure) } != nil
    }

    #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
        let line = issue.sourceCodeContext.location?.lineNumber ?? 0
        if !keeps(Failure(line: line, text: issue.compactDescription)) { super.record(issue) }
    }
    #else
    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        if keeps(Failure(line: lineNumber, text: description)) { return }
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
    #endif
}
#endif
