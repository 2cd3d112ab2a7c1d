import CoreTracker
import Testing

@Suite struct EventDescriptionTests {
    @Test func `parameters read like a literal`() {
        let parameters: EventParameters = [
            "item_id": "7", "text": "a \"b\"", "price": 35.79, "count": 2, "is_new": true,
            "items": [["item_id": "7"], ["item_id": "8"]], "none": [:], "list": [],
        ]

        #expect(
            "\(parameters)" == """
                ["item_id": "7", "text": "a \\"b\\"", "price": 35.79, "count": 2, "is_new": true, \
                "items": [["item_id": "7"], ["item_id": "8"]], "none": [:], "list": []]
                """
        )
        #expect("\(EventParameters())" == "[:]")
        #expect(String(reflecting: parameters) == parameters.description)
    }

    @Test func `a sensitive value is redacted, even in an object, and in every kind of text`() {
        let mail = Sensitive("ali@example.com")
        let personal: EventParameters = .sensitive(mail, as: "mail", policy: .hash).merging(["id": "7"])
        let parameters: EventParameters = ["user": .object(personal)]
        let event = FirebaseEvent("signed_up", parameters)
        var dumped = ""

        dump(event, to: &dumped)

        #expect("\(parameters)" == #"["user": ["id": "7", "mail": ‹redacted›]]"#)
        let texts = [
            "\(event)", "\(EventService.firebase(event))", "\(SignedUp(mail: mail))", String(reflecting: event), dumped,
            "\(parameters.map(\.value))",
        ]
        for text in texts { #expect(!text.contains("ali@"), "\(text)") }
    }

    @Test func `levels below the fourth are not written out`() {
        let deep = (0..<60).reduce(ParameterValue.int(1)) { inner, _ in ["in": inner] }

        #expect("\(["a": deep] as EventParameters)" == #"["a": ["in": ["in": ["in": …]]]]"#)
        #expect("\(deep)" == #"["in": ["in": ["in": ["in": …]]]]"#)
        #expect("\(ParameterList([[[[[1]]]]]))" == "[[[[…]]]]")
    }

    @Test func `a service's text has its name, its event and the options that are not defaults`() {
        let liked = VendorEvent("braze", "liked", ["id": 7])
        let order = FirebaseEvent("purchase", options: .critical).withDefaults(["screen": "checkout"])

        #expect("\(EventService.vendor(liked))" == #"braze liked ["id": 7]"#)
        #expect("\(EventService.awesomeTracking(AwesomeTrackingEvent("seen")))" == "awesomeTracking seen [:]")
        #expect(
            "\(EventService.firebase(order))"
                == #"firebase purchase [:] with defaults ["screen": "checkout"], strict, high priority"#
        )
    }

    @Test func `an event's text has its type and the event of each service`() {
        #expect(
            "\(Seen())" == #"Seen(firebase seen ["id": 7]; awesomeTracking seen [:])"#
        )
        #expect("\(Nowhere())" == "Nowhere(no services)")
    }
}

private struct Seen: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("seen", ["id": 7])
        AwesomeTrackingEvent("seen")
    }
}

private struct Nowhere: CoreTrackable {
    var services: [EventService] {}
}

private struct SignedUp: CoreTrackable {
    let mail: Sensitive<String>

    var services: [EventService] { FirebaseEvent("signed_up", .sensitive(mail, as: "mail", policy: .pass(.analytics))) }
}
