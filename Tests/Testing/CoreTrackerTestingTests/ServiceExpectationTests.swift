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
        let line = UInt(#line + 2)
        let failures = ExpectationFailure.all {
            Listed().expectServices {
                FirebaseEvent("listed", ["count": 4])
                VendorEvent("braze", "listed")
            }
        }

        #expect(failures.map(\.line) == [line])
        #expect(failures[0].message.contains("−     \"count\": 4\n+     \"count\": 3"))
    }

    @Test func `another order of services fails`() {
        let failures = ExpectationFailure.all {
            Listed().expectServices {
                VendorEvent("braze", "listed")
                FirebaseEvent("listed", ["count": 3])
            }
        }

        #expect(failures.count == 1)
    }
}

private struct Listed: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("listed", ["count": 3])
        VendorEvent("braze", "listed")
    }
}
