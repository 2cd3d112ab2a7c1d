import CoreTracker

/// A typed test event for a vendor.
struct BasketEmptied: CoreTrackable {
    var services: [EventService] { [.vendor(VendorEvent("braze", "basket_emptied"))] }
}
