import CoreTracker

/// A service of each kind that records its events in a log.
struct LoggingService: FirebaseService, AwesomeTrackingService, VendorService {
    let log: EventLog

    func track(_ event: FirebaseEvent) {
        log.append(ServiceCall(service: .firebase(event)))
    }

    func track(_ event: AwesomeTrackingEvent) {
        log.append(ServiceCall(service: .awesomeTracking(event)))
    }

    func track(_ event: VendorEvent) {
        log.append(ServiceCall(service: .vendor(event)))
    }
}
