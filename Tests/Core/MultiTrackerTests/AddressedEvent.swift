import CoreTracker

/// An event for Firebase and for the given vendors.
struct AddressedEvent: CoreTrackable {
    var vendors: [TrackerType]
    var name = "signed_up"

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: name))] + vendors.map { .vendor(VendorEvent($0, name)) }
    }
}
