import CoreTracker

/// What one service is handed of an event.
struct DeclaredCall {
    /// The service's name, which is that of its lane.
    let service: String
    /// The event's name at the service.
    let name: String
    /// The event's parameters.
    let parameters: Parameters

    init(_ service: EventService) {
        switch service {
        case .firebase(let event):
            self.service = "firebase"
            (name, parameters) = (event.name, event.parameters)
        case .awesomeTracking(let event):
            self.service = "awesomeTracking"
            (name, parameters) = (event.name, event.parameters)
        case .vendor(let type, let event):
            self.service = type.name
            (name, parameters) = (event.name, event.parameters)
        }
    }

    /// The parameters as a destination of a purpose gets them, with a hash of the usual length where one is due.
    func disclosed(for purpose: String) -> Parameters {
        parameters.disclosed(for: purpose) { _ in String(repeating: "0", count: 64) }
    }
}
