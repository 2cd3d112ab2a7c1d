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
        let parameters = EventParameters.sensitive(Sensitive("ali"), as: "mail", policy: .hash)
        let call = DeclaredCall(.firebase(FirebaseEvent(name: "a", parameters: parameters)))

        #expect(call.redacted(for: "analytics") == ["mail": .string(String(repeating: "0", count: 64))])
    }
}

@Suite struct CapabilityEventsTests {
    @Test func `each name is an event, whose examples are the calls of that name`() throws {
        let events = CapabilityEvents(
            product: "AC",
            vendor: "braze",
            events: [
                VendorEvent("braze", "navigate", ["to_view": "list"]), VendorEvent("braze", "login"),
                VendorEvent("braze", "navigate", ["to_view": "detail", "from_view": "list"]),
            ]
        )

        let plan = Plan(of: [], and: [events], at: try CheckedService.stubs())

        #expect(plan.modules == ["MultiTracker"])
        #expect(plan.entries.map(\.event) == ["braze.navigate", "braze.login"])
        #expect(plan.entries.map(\.service) == ["braze", "braze"] && plan.entries[0].product == "AC")
        let keys = plan.entries[0].parameters.keys().map { "\($0.path) \($0.isAlways)" }
        #expect(keys == ["from_view false", "to_view true"])
    }
}

/// A planned event for tests.
struct SignedUp: PlannedEvent {
    var method = "mail"
    var mail: Sensitive<String>?
    var friends: Int?

    var services: [EventService] {
        var own: EventParameters = ["method": .string(method)]
        own["friends"] = friends.map { .int($0) }
        let personal = mail.map { own.merging(.sensitive($0, as: "mail", policy: .hash)) } ?? own
        return [
            .firebase(FirebaseEvent(name: "sign_up", parameters: own)),
            .vendor(VendorEvent("braze", "Signed Up/~", personal)),
        ]
    }

    static var plan: EventPlan<SignedUp> {
        EventPlan(
            "Signed up",
            owner: "Accounts",
            purpose: "How users come.",
            examples: [SignedUp(), SignedUp(mail: Sensitive("ali@example.com"), friends: 2)]
        )
    }
}

extension EventCatalog {
    static let accounts = EventCatalog("ACAccounts", product: "AC", events: [SignedUp.self])
}

/// A planned event with default values for everything but its examples.
protocol LooseEvent: PlannedEvent {
    static var title: String { get }
    static var owner: EventOwner { get }
    static var purpose: String { get }
    static var examples: [[EventService]] { get }

    init(services: [EventService])
}

extension LooseEvent {
    static var title: String { "\(self)" }
    static var owner: EventOwner { "Tests" }
    static var purpose: String { "To break a rule." }

    static var plan: EventPlan<Self> {
        EventPlan(title, owner: owner, purpose: purpose, examples: examples.map(Self.init))
    }
}
