import CoreTracker

/// An event of a contract's checks.
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
    /// A numbered event for Firebase.
    static func firebase(_ number: Int) -> EventService {
        .firebase(FirebaseEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// A numbered event for AwesomeTracking.
    static func awesomeTracking(_ number: Int) -> EventService {
        .awesomeTracking(AwesomeTrackingEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// A numbered event for a vendor.
    static func vendor(_ type: TrackerType, _ number: Int) -> EventService {
        .vendor(type, VendorEvent(name: "contract", parameters: ["number": .int(number)]))
    }

    /// The event's number.
    var number: Int? {
        let parameters =
            switch self {
            case .firebase(let event): event.parameters
            case .awesomeTracking(let event): event.parameters
            case .vendor(_, let event): event.parameters
            }
        guard case .int(let number) = parameters["number"] else { return nil }
        return number
    }

    /// The event without the defaults that a tracker's scope has added.
    var withoutDefaults: EventService {
        switch self {
        case .firebase(var event):
            event.defaults = []
            return .firebase(event)
        case .awesomeTracking(var event):
            event.defaults = []
            return .awesomeTracking(event)
        case .vendor(let type, var event):
            event.defaults = []
            return .vendor(type, event)
        }
    }
}
