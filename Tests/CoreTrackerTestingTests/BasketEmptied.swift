import CoreTracker

/// A typed event of these tests that goes to a vendor.
struct BasketEmptied: CoreTrackable {
    var services: [EventService] { [.vendor("braze", VendorEvent(name: "basket_emptied"))] }
}
