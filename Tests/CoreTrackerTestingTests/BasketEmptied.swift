import CoreTracker

/// A typed event of these tests that goes to a vendor.
struct BasketEmptied: CoreTrackable {
    var services: [EventService] { [.vendor(VendorEvent("braze", "basket_emptied"))] }
}
