import CoreTracker

/// Events that together break every rule for events.
enum BrokenEvents {
    static let catalog = EventCatalog(
        "ACBroken",
        product: "AC",
        events: [
            Names.self, Keys.self, Values.self, Items.self, Braze.self, Adobe.self, Sumo.self, Anonymous.self,
            Taken.self, Silent.self, Endless.self,
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

    struct Endless: LooseEvent {
        let services: [EventService]
        static let examples: [[EventService]] = [
            [.awesomeTracking(AwesomeTrackingEvent(name: "viewed", parameters: ["text": text]))]
        ]

        private static let text = ParameterValue.array(Array(repeating: .string(long), count: 10))
        private static let long = String(repeating: "v", count: 30_000)
    }
}
