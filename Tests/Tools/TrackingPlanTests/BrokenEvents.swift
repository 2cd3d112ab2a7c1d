import CoreTracker

/// Events that together break every rule for events.
enum BrokenEvents {
    static let catalog = EventCatalog(
        "ACBroken",
        product: "AC",
        events: [
            Names.self, Keys.self, Values.self, Items.self, Braze.self, Adobe.self, Sumo.self, Anonymous.self,
            Taken.self, Silent.self, Personal.self, Endless.self,
        ]
    )

    static func firebase(_ name: String = "viewed", _ parameters: EventParameters = [:]) -> EventService {
        .firebase(FirebaseEvent(name: name, parameters: parameters))
    }

    struct Names: LooseEvent {
        let services: [EventService]
        static let examples = [
            [firebase(""), firebase(String(repeating: "n", count: 41)), firebase("größe"), firebase("firebase_seen")],
            [firebase("session_start"), .awesomeTracking(AwesomeTrackingEvent(name: ""))],
            [.vendor(VendorEvent("nobody", "viewed"))],
        ]
    }

    struct Keys: LooseEvent {
        let services: [EventService]
        static let examples = [
            [firebase("viewed", ["": 1]), firebase("viewed", [ParameterKey(String(repeating: "k", count: 41)): 1])],
            [firebase("viewed", ["1st": 1]), firebase("viewed", ["ga_key": 1])],
            [firebase("viewed", EventParameters((1...26).map { (ParameterKey("key\($0)"), .int($0)) }))],
        ]
    }

    struct Values: LooseEvent {
        let services: [EventService]
        static let examples = [
            [firebase("viewed", ["text": .string(String(repeating: "v", count: 101))])],
            [firebase("viewed", ["item_id": .string(String(repeating: "v", count: 101))])],
            [firebase("viewed", ["price": .double(.infinity), "list": [1]])],
            [firebase("purchase", ["transaction_id": "", "session_id": -1])],
            [.awesomeTracking(AwesomeTrackingEvent(name: "viewed", parameters: ["price": .double(.nan)]))],
        ]
    }

    struct Items: LooseEvent {
        let services: [EventService]
        static let examples = [
            [firebase("view_item", ["items": []]), firebase("view_item", ["items": [["price": 1]]])],
            [firebase("view_item", ["items": .array(Array(repeating: ["item_id": "1"], count: 201))])],
            [firebase("view_item", ["items": [.object(EventParameters(customKeys.map { (ParameterKey($0), "1") }))]])],
        ]

        private static let customKeys = ["item_id"] + (1...11).map { "key\($0)" }
    }

    struct Anonymous: LooseEvent {
        let services: [EventService]
        static let title = " "
        static let owner: EventOwner = ""
        static let purpose = ""
        static let examples: [[EventService]] = []
    }

    struct Taken: LooseEvent {
        let services: [EventService]
        static let title = "names"
        static let examples = [[firebase()]]
    }

    struct Silent: LooseEvent {
        let services: [EventService]
        static let examples: [[EventService]] = [[]]
    }

    struct Personal: LooseEvent {
        let services: [EventService]
        static let examples: [[EventService]] = [
            [.awesomeTracking(AwesomeTrackingEvent(name: "signed_up", parameters: ["form": [["userEmail": "a"]]]))],
            [.awesomeTracking(AwesomeTrackingEvent(name: "signed_up", parameters: ["access_token": "t"]))],
        ]
    }

    struct Endless: LooseEvent {
        let services: [EventService]
        static let examples: [[EventService]] = [
            [.awesomeTracking(AwesomeTrackingEvent(name: "viewed", parameters: ["text": text]))]
        ]

        private static let text = ParameterValue.array(Array(repeating: .string(long), count: 10))
        private static let long = String(repeating: "v", count: 30_000)
    }
}

extension BrokenEvents {
    struct Braze: LooseEvent {
        let services: [EventService]
        static let examples = [
            [braze(""), braze(String(repeating: "n", count: 256)), braze("a\nb"), braze("$seen")],
            [braze("seen", ["": 1]), braze("seen", [ParameterKey(String(repeating: "k", count: 256)): 1])],
            [braze("seen", ["a\nb": 1]), braze("seen", ["event_name": 1])],
            [braze("seen", EventParameters((1...256).map { (ParameterKey("key\($0)"), .int($0)) }))],
            [braze("seen", ["text": .string(String(repeating: "v", count: 256))])],
            [braze("seen", ["price": .double(.infinity), "list": deep])],
            [braze("seen", ["list": .array(Array(repeating: "many", count: 20_000))])],
        ]

        private static func braze(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("braze", name, parameters))
        }
    }

    struct Adobe: LooseEvent {
        let services: [EventService]
        static let examples = [
            [adobe(""), adobe("a\nb")],
            [adobe("seen", ["": 1, "a\nb": 1, "price": .double(.infinity), "list": deep])],
            [adobe("seen", ["text": .string(String(repeating: "v", count: 64_000))])],
        ]

        private static func adobe(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("adobe", name, parameters))
        }
    }

    struct Sumo: LooseEvent {
        let services: [EventService]
        static let examples = [
            [sumo(""), sumo("seen", ["price": .double(.infinity)])],
            [sumo("seen", ["text": .string(String(repeating: "v", count: 65_536))])],
        ]

        private static func sumo(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("sumo", name, parameters))
        }
    }

    /// Nested arrays, deeper than any service accepts.
    private static let deep = (0..<40).reduce(ParameterValue.int(1)) { value, _ in [value] }
}
