import CoreTracker
import EventDelivery
import SuperApp

/// What each vendor got of the playback journey: by its lane's books, and at the demo's own receiver.
struct VendorTable {
    /// The vendors with their switches.
    let vendors: Vendors
    /// The run's lanes.
    let lanes: [LaneResult]
    /// What has arrived, by service; empty where the demo has no receiver of its own.
    let arrived: [String: Int]

    /// The table, and a line on what the disabled vendors were spared.
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
