import CoreTracker
import EventDelivery
import FirebaseTracking

extension FirebaseDestination {
    /// Returns a destination of an app stream, which sends through the protocol.
    static func stub() throws -> FirebaseDestination {
        let stream = try FirebaseConfiguration(firebaseAppID: "1:1234567890:ios:0a1b2c3d4e5f6789", apiSecret: "s3cret")
        return FirebaseDestination(product: "DL", configuration: stream)
    }
}

extension Timestamp {
    /// The time of the tests: 1 March 2026, 10:00:00.123456 UTC.
    static let now = Timestamp(microseconds: 1_772_359_200_123_456)
}
