public import CoreTracker
import EventDelivery
public import EventDeliveryTesting
public import FirebaseTracking
public import SDKDelivery
import Testing
import VendorRules

@Suite(.timeLimit(.minutes(5))) struct FirebaseSDKDestinationTests {
    private let adapter = MockSDKAdapter()
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `if the app opens the engine with the SDK, the product's Firebase events reach it`() async throws {
        try await open()
        engine.user.identify("u-1")

        track("view_item", ["currency": "EUR", "gift": true], defaults: ["channel": "app", "currency": "TRY"])
        _ = await engine.flush(timeout: .seconds(5))

        let event = try #require(adapter.events.first)
        let own: EventParameters = ["channel": "app", "currency": "EUR", "gift": 1]
        #expect(event.name == "view_item")
        #expect(event.parameters.count == 5 && own.allSatisfy { event.parameters[$0.key] == $0.value })
        #expect(event.parameters["event_time_ms"] == 1_772_359_200_000)
        #expect(adapter.users == ["u-1"])
        try await LedgerCheck.check(engine)
    }

    @Test func `an event's id is the one by which the engine explains it`() async throws {
        try await open()

        track("view_item")
        _ = await engine.flush(timeout: .seconds(5))

        guard case .string(let text) = adapter.events.first?.parameters["event_id"] else {
            throw EventEncodingError(rule: "no_id")
        }
        #expect(await engine.explain(try #require(EventID(text)))?.status == .delivered)
    }

    @Test(
        arguments: [
            ("", "name_empty"), ("first_open", "name_reserved"), ("firebase_x", "name_reserved"),
            ("a b", "name_invalid"), (String(repeating: "n", count: 41), "name_too_long"),
        ]
    )
    func `an event that the SDK would drop is refused and counted`(name: String, rule: String) throws {
        #expect(throws: EventEncodingError(rule: rule)) {
            try FirebaseSDKDestination(product: "DL", adapter: adapter).encoded(.stub(name: name))
        }
    }

    @Test(arguments: [(22, 0), (23, 0), (24, 1)])
    func `two of the SDK's 25 parameters are the event's id and time`(count: Int, adjustments: Int) async throws {
        try await open()

        track("e", .numbered(count))
        _ = await engine.flush(timeout: .seconds(5))

        #expect(adapter.events[0].parameters.count == min(count, 23) + 2)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.adjusted == (adjustments == 0 ? [:] : ["too_many_parameters": adjustments]))
    }

    @Test func `the SDK and the Measurement Protocol exclude each other on the lane`() async throws {
        let firebase = FirebaseSDKDestination(product: "DL", adapter: adapter)
        let both: [any Destination] = [firebase, try FirebaseDestination.stub()]

        await #expect(throws: EngineError.duplicateLane(.firebase(product: "DL"))) {
            try await engine.open(DeliveryConfiguration(directory: nil, destinations: both))
        }
    }

    @Test func `a sensitive value reaches the SDK as its policy allows`() async throws {
        let parameters = EventParameters.sensitive(Sensitive(34), as: "age", policy: .pass(.analytics))
            .merging(.sensitive(Sensitive("ali@example.com"), as: "mail", policy: .hash))
        try await open()

        track("sign_up", parameters)
        _ = await engine.flush(timeout: .seconds(5))

        #expect(adapter.events[0].parameters["age"] == 34 && adapter.events[0].parameters["mail"] == nil)
    }

    @Test func `a value that the SDK cannot hold is adjusted and counted`() async throws {
        let item: ParameterValue = ["item_id": "BK-17", "quantity": 2]
        try await open()

        track(
            "purchase",
            [
                "nan": .double(.nan), "o": ["a": 1], "items": [item], "ga_x": 1, "event_id": "mine",
                "note": .string(String(repeating: "x", count: 101)),
            ]
        )
        _ = await engine.flush(timeout: .seconds(5))

        let parameters = adapter.events[0].parameters
        #expect(parameters["items"] == [item] && parameters["event_id"] != "mine")
        #expect(parameters["note"] == .string(String(repeating: "x", count: 100)))
        #expect(
            try #require(await engine.statistics().first).ledger.adjusted == [
                "value_not_finite": 1, "value_nested": 1, "key_reserved": 2, "value_too_long": 1,
            ]
        )
    }

    @Test(arguments: [(256, true), (257, false)])
    func `a user id that the SDK does not accept is left out and counted`(length: Int, isSent: Bool) throws {
        let identity = Identity.stub(userID: String(repeating: "u", count: length))

        let encoded = try FirebaseSDKDestination(product: "DL", adapter: adapter).encoded(.stub(identity: identity))

        #expect(encoded.fragment.contains(#""user":"#) == isSent)
        #expect(encoded.adjustments == (isSent ? [:] : ["user_id_too_long": 1]))
    }

    private func track(_ name: String, _ parameters: EventParameters = [:], defaults: EventParameters = [:]) {
        engine.lane(.firebase(product: "DL")).track(name, parameters: parameters, defaults: defaults)
    }

    private func open() async throws {
        let firebase = FirebaseSDKDestination(product: "DL", adapter: adapter)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [firebase], transport: ScriptedTransport())
        )
    }
}

@Suite struct EventRulesFirebaseSDKTests {
    @Test func `they are those of an app stream, except for items, page texts and reserved keys`() throws {
        var rules = EventRules.firebaseSDK

        guard case .lists(let lists) = rules.nesting else { throw EventEncodingError(rule: "no_lists") }
        #expect(lists["items"]?.maximumOtherKeys == 27)
        #expect(rules.maximumStringLengths.isEmpty)
        #expect(rules.key.reserved == ["event_id", "event_time_ms", "firebase_conversion"])
        rules.nesting = EventRules.appStream.nesting
        rules.maximumStringLengths = EventRules.appStream.maximumStringLengths
        rules.key = EventRules.appStream.key
        rules.automaticKeys = EventRules.appStream.automaticKeys
        #expect(rules == .appStream)
    }
}

extension MockSDKAdapter: FirebaseSDKAdapter {
    public func logEvent(_ name: String, parameters: EventParameters, userID: String?) throws(SDKError) {
        try record(Event(name, parameters), userID: userID)
    }
}
