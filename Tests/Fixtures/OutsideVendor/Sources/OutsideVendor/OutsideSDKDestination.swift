import CoreTracker
import EventDelivery
import OutsideTracker

/// The vendor's SDK, as its own package would have it.
@MainActor
enum OutsideSDK {
    static var isStarted = false
    private(set) static var logged: [String] = []

    static func log(_ name: String, _ properties: [String: Any]) { logged.append("\(name) \(properties.count)") }
}

/// The vendor's lane, with its SDK in the place of requests.
struct OutsideSDKDestination: SDKDestination {
    let lane = LaneID.outside(product: "DL")

    @MainActor
    func send(_ event: SDKEvent) throws(SDKError) {
        guard OutsideSDK.isStarted else { throw .notReady }
        OutsideSDK.log(event.name, event.stampedParameters.dictionary)
    }
}
