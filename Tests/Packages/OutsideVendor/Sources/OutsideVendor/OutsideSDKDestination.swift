import CoreTracker
import EventDelivery
import OutsideTracker
import SDKDelivery

/// A replacement of the vendor's SDK.
@MainActor
enum OutsideSDK {
    static var isStarted = false
    private(set) static var logged: [String] = []

    static func log(_ name: String, _ properties: [String: Any]) { logged.append("\(name) \(properties.count)") }
}

/// A destination that passes the vendor's events to its SDK.
struct OutsideSDKDestination: SDKDestination {
    let lane = LaneID.outside(product: "DL")

    @MainActor
    func send(_ event: SDKEvent) throws(SDKError) {
        guard OutsideSDK.isStarted else { throw .notReady }
        OutsideSDK.log(event.name, event.stampedParameters.dictionary)
    }
}
