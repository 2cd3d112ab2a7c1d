#if canImport(XCTest)
import CoreTrackerTesting
import Synchronization
import XCTest

/// The kit as a test of XCTest uses it; the failures that it makes are kept instead of recorded.
final class MockTrackerXCTests: XCTestCase {
    private let failures = Mutex<[(line: Int, text: String)]>([])

    func testExactlyTheTrackedEventsSatisfyAnExpectation() {
        let tracker = MockTracker()

        tracker.track(BasketFilled(item: "7"))

        tracker.expect([BasketFilled(item: "7")])
        XCTAssertEqual(failures.withLock(\.count), 0)
    }

    func testAFailedExpectationStandsAtItsOwnLine() {
        let tracker = MockTracker()

        tracker.track(BasketFilled(item: "7"))
        let line = #line + 1
        tracker.expect([BasketFilled(item: "8")])

        let failures = failures.withLock { $0 }
        XCTAssertEqual(failures.map(\.line), [line])
        XCTAssertTrue(failures.allSatisfy { $0.text.contains(#"−           "item_id": "8""#) })
    }

    #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
        let line = issue.sourceCodeContext.location?.lineNumber ?? 0
        failures.withLock { $0.append((line, issue.compactDescription)) }
    }
    #else
    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        failures.withLock { $0.append((lineNumber, description)) }
    }
    #endif
}
#endif
