import CoreTracker
import DLTracker
import EventDelivery
import TYTracker

/// Creates the trackers of two products that share a Firebase and an AwesomeTracking service.
func makeSharedTrackers(
    firebase: any FirebaseService = LaneService(product: "APP"),
    awesomeTracking: any AwesomeTrackingService = LaneService(product: "APP")
) -> (dolapLite: DLTracker, trendyol: TYTracker) {
    let dolapLite = DLTracker(
        firebaseService: firebase,
        awesomeTrackingService: DLAwesomeTrackingService(over: awesomeTracking)
    )
    let trendyol = TYTracker(
        firebaseService: firebase,
        awesomeTrackingService: TYAwesomeTrackingService(over: awesomeTracking)
    )
    return (dolapLite, trendyol)
}
