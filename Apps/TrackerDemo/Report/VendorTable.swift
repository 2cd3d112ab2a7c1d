import CoreTracker
import EventDelivery
import SuperApp

/// The number of events of the playback journey for each vendor, by its lane's ledger and at the demo's receiver.
struct VendorTable {
    /// The vendors and whether they are enabled.
    let vendors: Vendors
    /// The run's lanes.
    let lanes: [LaneResult]
    /// The number of received events by service.
    ///
    /// Empty if the demo has no receiver.
    let arrived: [String: Int]

    /// The table, followed by a line with the number of calls to disabled vendors.
    var text: String {
        var table = TextTable([("vendor", .left), ("", .left), ("tracked", .right), ("arrived", .right)])
        for vendor in VendorEntry.all {
            let tracked = lanes.first { $0.id == vendor.lane }?.accepted ?? 0
            table.add([
                vendor.type.name, vendors.isEnabled(vendor) ? "enabled" : "disabled", "\(tracked)",
                arrived[vendor.type.name].map { "\($0)" } ?? "-",
            ])
        }
        return table.text + "\ncalls that disabled vendors did not get: \(vendors.disabledCalls)"
    }
}
