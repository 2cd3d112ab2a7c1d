import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct ServiceExpectationTests {
    @Test func `an event that goes to exactly the expected services passes`() {
        Listed().expectServices {
            FirebaseEvent("listed", ["count": 3])
            VendorEvent("braze", "listed")
        }
    }

    @Test func `a failure shows the lines that differ, as a mock tracker's does, at the caller's line`() {
        let line = #line + 2
        withKnownIssue {
            Listed().expectServices {
                FirebaseEvent("listed", ["count": 4])
                VendorEvent("braze", "listed")
            }
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return issue.sourceLocation?.line == line && text.contains("−     \"count\": 4\n+     \"count\": 3")
        }
    }

    @Test func `another order of services fails`() {
        withKnownIssue {
            Listed().expectServices {
                VendorEvent("braze", "listed")
                FirebaseEvent("listed", ["count": 3])
            }
        }
    }
}

private struct Listed: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("listed", ["count": 3])
        VendorEvent("braze", "listed")
    }
}
