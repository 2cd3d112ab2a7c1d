import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct DeclaredCallTests {
    @Test(arguments: [
        (EventService.firebase(FirebaseEvent(name: "a", parameters: ["b": 1])), "firebase"),
        (.awesomeTracking(AwesomeTrackingEvent(name: "a", parameters: ["b": 1])), "awesomeTracking"),
        (.vendor(VendorEvent("braze", "a", ["b": 1])), "braze"),
    ])
    func `a service is named as its lane is`(service: EventService, name: String) {
        let call = DeclaredCall(service)

        #expect(call.service == name)
        #expect(call.name == "a")
        #expect(call.parameters == ["b": 1])
    }

    @Test func `a hash has its usual length where one is due`() {
        let parameters = EventParameters.sensitive(Sensitive("ali"), as: "mail", .hash)
        let call = DeclaredCall(.firebase(FirebaseEvent(name: "a", parameters: parameters)))

        #expect(call.disclosed(for: "analytics") == ["mail": .string(String(repeating: "0", count: 64))])
    }
}
