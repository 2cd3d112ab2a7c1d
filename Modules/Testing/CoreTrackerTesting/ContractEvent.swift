import CoreTracker

/// An event that the contracts' checks track.
struct ContractEvent: CoreTrackable {
    let services: [EventService]

    init(services: [EventService]) {
        self.services = services
    }

    init(_ services: EventService...) {
        self.services = services
    }
}

extension EventService {
    /// Returns a numbered event for Firebase.
    static func firebase(_ number: Int) -> EventService {
        .firebase(FirebaseEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// Returns a numbered event for AwesomeTracking.
    static func awesomeTracking(_ number: Int) -> EventService {
        .awesomeTracking(AwesomeTrackingEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// Returns a numbered event for a vendor.
    static func vendor(_ type: TrackerType, _ number: Int) -> EventService {
        .vendor(VendorEvent(type, "contract", ["number": .int(number)]))
    }

    /// The event's number, if it has one.
    var number: Int? {
        guard case .int(let number) = event.parameters["number"] else { return nil }
        return number
    }

    /// Whether the event is for a vendor.
    var isForVendor: Bool { if case .vendor = self { true } else { false } }

    /// The event without the default parameters that a tracker's scope has added.
    var withoutDefaults: EventService {
        switch self {
        case .firebase(var event):
            event.defaults = []
            return .firebase(event)
        case .awesomeTracking(var event):
            event.defaults = []
            return .awesomeTracking(event)
        case .vendor(var event):
            event.defaults = []
            return .vendor(event)
        }
    }
}
