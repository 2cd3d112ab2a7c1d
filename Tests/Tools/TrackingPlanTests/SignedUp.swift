import CoreTracker

/// A planned event for tests.
struct SignedUp: PlannedEvent {
    var method = "mail"
    var mail: Sensitive<String>?
    var friends: Int?

    var services: [EventService] {
        var own: EventParameters = ["method": .string(method)]
        own["friends"] = friends.map { .int($0) }
        let personal = mail.map { own.merging(.sensitive($0, as: "mail", .hash)) } ?? own
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
