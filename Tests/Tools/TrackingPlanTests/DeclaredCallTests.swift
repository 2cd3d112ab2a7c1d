import CoreTracker
import Testing

@testable import TrackingPlan

@Suite struct DeclaredCallTests {
    @Test(arguments: [
        (EventService.firebase(FirebaseEvent(name: "a", parameters: ["b": 1])), "firebase"),
        (.awesomeTracking(AwesomeTrackingEvent(name: "a", parameters: ["b": 1])), "awesomeTracking"),
        (.vendor(VendorEvent("braze", "a", ["b": 1])), "braze"),
    ])
    func `a service has the name of its lane`(service: EventService, name: String) {
        let call = DeclaredCall(service)

        #expect(call.service == name)
        #expect(call.name == "a")
        #expect(call.parameters == ["b": 1])
    }

    @Test func `a hashed value has the usual length`() {
        let parameters = EventParameters.sensitive(Sensitive("ali"), as: "mail", .hash)
        let call = DeclaredCall(.firebase(FirebaseEvent(name: "a", parameters: parameters)))

        #expect(call.redacted(for: "analytics") == ["mail": .string(String(repeating: "0", count: 64))])
    }
}
