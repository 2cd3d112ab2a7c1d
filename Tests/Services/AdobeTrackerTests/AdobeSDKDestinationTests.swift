public import AdobeTracker
public import CoreTracker
import EventDelivery
public import EventDeliveryTesting
public import SDKDelivery
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeSDKDestinationTests {
    private let adapter = MockSDKAdapter()
    private let engine = DeliveryEngine(clock: TestClock())

    @Test func `an event reaches the SDK as XDM, and parameters outside the schema as data`() async throws {
        let adobe = try AdobeSDKDestination(product: "DL", adapter: adapter, tenant: "_acme")
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [adobe], transport: ScriptedTransport())
        )

        engine.user.identify("u-1")
        let commerce: ParameterValue = ["order": ["purchaseID": "o-1"]]
        engine.lane(.adobe(product: "DL")).track(
            "commerce.purchases",
            parameters: ["commerce": commerce, "_acme": ["plan": "family"], "coupon": "W10", "web": "not an object"]
        )
        _ = await engine.flush(timeout: .seconds(5))

        let event = try #require(adapter.events.first)
        guard case .object(var xdm) = event.parameters["xdm"] else { throw EventEncodingError(rule: "no_xdm") }
        let id = try #require(xdm["_id"])
        xdm["_id"] = nil
        let user: ParameterValue = ["id": "u-1", "primary": false, "authenticatedState": "authenticated"]
        #expect(
            xdm == [
                "eventType": "commerce.purchases", "timestamp": "2026-03-01T10:00:00.000Z",
                "identityMap": ["CRMID": [user]], "commerce": commerce, "_acme": ["plan": "family"],
            ]
        )
        #expect(event.parameters["data"] == ["coupon": "W10", "web": "not an object", "event_uid": id])
        try await LedgerCheck.check(engine)
    }

    @Test func `without a user, the SDK uses only its own identity`() async throws {
        let adobe = try AdobeSDKDestination(product: "DL", adapter: adapter)

        try await adobe.send(SDKEvent(id: .stub(), name: "e", time: Timestamp(microseconds: 0)))

        adapter.expect([
            MockSDKAdapter.Event(
                "e",
                [
                    "xdm": [
                        "_id": .string(EventID.stub().description), "eventType": "e",
                        "timestamp": "1970-01-01T00:00:00.000Z",
                    ],
                    "data": ["event_uid": .string(EventID.stub().description)],
                ]
            )
        ])
    }

    @Test(arguments: [("u-1", nil), ("anonymous", "user_id_invalid")])
    func `a user id without meaning to Adobe is left out and counted`(userID: String, rule: String?) throws {
        let encoded = try AdobeSDKDestination(product: "DL", adapter: adapter)
            .encoded(.stub(identity: .stub(userID: userID)))

        #expect(encoded.fragment.contains(#""user":"#) == (rule == nil))
        #expect(encoded.adjustments == (rule.map { [$0: 1] } ?? [:]))
    }

    @Test(arguments: ["acme", "_", "_ä"])
    func `a malformed tenant is refused`(tenant: String) {
        #expect(throws: ConfigurationError.self) {
            try AdobeSDKDestination(product: "DL", adapter: adapter, tenant: tenant)
        }
    }
}

/// The name of a recorded event is its `eventType`, and its parameters are `xdm` and `data`.
extension MockSDKAdapter: AdobeSDKAdapter {
    public func sendEvent(xdm: EventParameters, data: EventParameters) throws(SDKError) {
        let name = if case .string(let type) = xdm["eventType"] { type } else { "" }
        try record(Event(name, ["xdm": .object(xdm), "data": .object(data)]))
    }
}
