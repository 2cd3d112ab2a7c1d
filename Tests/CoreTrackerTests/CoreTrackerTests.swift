import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct CoreTrackerTests {
    @Test(arguments: CoreTrackerContract.checks)
    func `the default implementation keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(
            CoreTrackerContract.Subject {
                PlainTracker(firebaseService: $0, awesomeTrackingService: $1, vendorService: $2)
            }
        )
    }
}

/// A tracker that leaves everything to the default implementation.
private struct PlainTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService
    let vendorService: any VendorService
}
