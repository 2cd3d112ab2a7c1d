import CoreTracker
import EventDelivery
import FirebaseTracking
import Locks

/// A stand-in for Firebase's SDK, which exists only for Apple platforms.
///
/// It counts events by name.
final class FirebaseSDKStandIn: FirebaseSDKAdapter {
    private let counts = Mutex<[String: Int]>([:])

    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        counts.withLock { $0[name, default: 0] += 1 }
    }

    /// The number of events by name.
    var text: String {
        counts.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
