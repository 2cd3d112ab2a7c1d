import CoreTracker

/// A typed test event with personal data.
struct SignedUp: CoreTrackable {
    let mail: Sensitive<String>
    let policy: SensitivePolicy
    var name = "sign_up"
    var note = "by mail"

    var services: [EventService] {
        [
            .firebase(
                FirebaseEvent(
                    name: name,
                    parameters: .sensitive(mail, as: "mail", policy).merging(["notes": [["note": .string(note)]]])
                )
            )
        ]
    }
}
