import AdobeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeDestinationTests {
    private static let now = Timestamp(microseconds: 1_772_359_200_123_456)

    @Test func `a minimal event has the golden body`() throws {
        let destination = AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1:p"))

        let request = try destination.request(carrying: [.stub(name: "commerce.productViews")])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("minimal.json")))
        #expect(
            request.url.absoluteString
                == "https://edge.adobedc.net/ee/v2/collect?datastreamId=d-1:p"
                + "&requestId=01950000-0000-7000-8000-0000000000ba"
        )
        #expect(request.method == "POST")
        #expect(request.headers == [try HTTPHeader("Content-Type", "application/json")])
        #expect(!request.allowsGzip)
    }

    @Test func `a batch with commerce and media has the golden body`() throws {
        let configuration = try AdobeConfiguration(
            datastreamID: "d-1",
            tenant: "_acme",
            implementation: (name: "https://example.com/tracking/ios", version: "1.0.0")
        )
        let basket: EventParameters = [
            "commerce": ["productListAdds": ["value": 1]],
            "productListItems": [
                [
                    "SKU": "BK-17", "name": "Atlas \"Nord\"", "quantity": 2, "priceTotal": 25.98,
                    "currencyCode": "EUR",
                ]
            ],
            "screen": "detail", "_acme": ["shelf": "B3"], "web": "yes",
        ]
        let request = try AdobeDestination(product: "DL", configuration: configuration).request(carrying: [
            .stub(
                name: "commerce.productListAdds",
                parameters: basket,
                defaults: ["channel": "app"],
                identity: .stub(userID: "u-8841")
            ),
            .stub(
                id: .stub(2),
                name: "media.play",
                parameters: ["mediaCollection": ["sessionID": "m-1", "playhead": 12]],
                time: Timestamp(microseconds: 1_772_359_204_500_000)
            ),
        ])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("full.json")))
    }

    @Test(arguments: [("", "name_empty"), ("a\u{0}b", "name_invalid")])
    func `an event whose name breaks a rule is refused`(name: String, rule: String) throws {
        #expect(throws: EventEncodingError(rule: rule)) { try destination().encoded(.stub(name: name)) }
    }

    @Test func `an event without an installation is refused`() {
        #expect(throws: EventEncodingError(rule: "identity_missing")) {
            try destination().encoded(.stub(identity: .stub(deviceID: "")))
        }
    }

    @Test(
        arguments: [
            (String(repeating: "u", count: 1_024), nil), (String(repeating: "u", count: 1_025), "user_id_too_long"),
            ("null", "user_id_invalid"), ("anonymous", "user_id_invalid"), ("invalid", "user_id_invalid"),
            (" \t", "user_id_invalid"), ("", "user_id_invalid"), ("nullable", nil),
        ]
    )
    func `a user id that Adobe blocks is left out and counted`(userID: String, rule: String?) throws {
        let encoded = try destination().encoded(.stub(identity: .stub(userID: userID)))

        #expect(encoded.fragment.contains("CRMID") == (rule == nil))
        #expect(encoded.adjustments == (rule.map { [$0: 1] } ?? [:]))
    }

    @Test(
        arguments: [
            (-1, nil), (0, nil), (1, "timestamp_in_future"), (86_400, "timestamp_in_future"),
        ] as [(Int64, String?)]
    )
    func `a time in the future becomes the time of the attempt and is counted`(seconds: Int64, rule: String?) throws {
        let destination = try destination()
        let event = OutgoingEvent.stub(
            name: #"a","timestamp":"9999"#,
            parameters: ["text": #","timestamp":"9"#],
            time: Self.now.advanced(bySeconds: seconds)
        )
        let encoded = try destination.batch(of: [event])
        let batch = OutgoingBatch(id: encoded.id, time: Self.now, events: encoded.events)

        let body = String(decoding: destination.request(for: batch).body, as: UTF8.self)

        let time = Self.now.advanced(bySeconds: min(seconds, 0)).rfc3339
        #expect(body.contains(#"\"timestamp\":\"9999","timestamp":"\#(time)","identityMap""#))
        #expect(destination.adjustments(in: batch) == (rule.map { [$0: 1] } ?? [:]))
    }

    @Test func `parameters cannot override the event's ID, identity and time`() throws {
        let hostile: EventParameters = [
            "_id": ["x"], "identityMap": ["ECID": [["id": "x"]]], "timestamp": "x", "xdm": [:],
        ]

        let fragment = try destination().encoded(.stub(parameters: hostile)).fragment

        #expect(
            fragment.contains(#"},"data":{"_id":["x"],"identityMap":{"ECID":[{"id":"x"}]},"timestamp":"x","xdm":{}}}"#)
        )
    }

    @Test(arguments: ["", "a\u{1}"])
    func `a parameter with a bad key is left out and counted`(key: String) throws {
        let encoded = try destination().encoded(.stub(parameters: [ParameterKey(key): 1]))

        #expect(!encoded.fragment.contains("data"))
        #expect(encoded.adjustments.values.reduce(0, +) == 1)
    }

    @Test(arguments: [
        ("79bf8e83f708414bb1ed5789ff33bf0b", "79bf8e83-f708-414b-b1ed-5789ff33bf0b"),
        ("79bf8e83-f708-414b-b1ed-5789ff33bf0b", "79bf8e83-f708-414b-b1ed-5789ff33bf0b"),
        ("79BF8E83-F708-614B-F1ED-5789FF33BF0B", "79bf8e83-f708-414b-b1ed-5789ff33bf0b"),
        ("00000000000000000000000000000000", "00000000-0000-4000-8000-000000000000"),
        ("ffffffffffffffffffffffffffffffff", "ffffffff-ffff-4fff-bfff-ffffffffffff"),
    ])
    func `an installation is a UUID of version 4 with its own digits`(deviceID: String, id: String) throws {
        #expect(try fpid(of: deviceID) == id)
    }

    @Test(arguments: ["0f1e2d3c4b5a69788796a5b4c3d2e1f", "0f1e2d3c4b5a69788796a5b4c3d2e1fz", "installation-7", "é"])
    func `an installation's id of another form becomes a UUID of version 4 that stays the same`(
        deviceID: String
    ) throws {
        let id = try fpid(of: deviceID)

        #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(try fpid(of: deviceID) == id)
        #expect(try fpid(of: deviceID + "x") != id)
    }

    @Test func `an installation has the same UUID in each run and each version of the app`() throws {
        #expect(try fpid(of: "installation-7") == "ca9ccb7d-8740-4362-9034-8e4eb44489b2")
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 0)])
    func `a request with one event at the limit stays within 64 KB`(surplus: Int, delivered: Int) async throws {
        let destination = try destination()
        let empty = try destination.encoded(.stub(parameters: ["x": ""]))
        let text = String(repeating: "x", count: destination.limits.eventBytes - empty.fragment.utf8.count + surplus)
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )

        engine.lane(destination.lane).track("play_start", parameters: ["x": .string(text)])
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == delivered)
        #expect(ledger.dropped == (delivered == 1 ? [:] : [.tooLarge: 1]))
        #expect(transport.requests.allSatisfy { $0.body.count <= 64_000 })
    }

    @Test func `a scope's user is the only identity unless the scope has a device`() async throws {
        let destination = try destination()
        let engine = DeliveryEngine(clock: TestClock())
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))
        let lane = engine.lane(destination.lane)

        withTracking(user: "u-1", session: "r-1") { lane.track("user") }
        withTracking(device: "0f1e2d3c4b5a69788796a5b4c3d2e1f0", user: "u-1") { lane.track("device") }
        withTracking(session: "r-2") { lane.track("visitor") }
        _ = await engine.flush(timeout: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let maps = body.matches(of: /"identityMap":\{.*?\]\}/).map { String($0.0) }
        let user = { (isPrimary: Bool) in
            #""CRMID":[{"id":"u-1","primary":\#(isPrimary),"authenticatedState":"authenticated"}]"#
        }
        try #require(maps.count == 3)
        #expect(maps[0] == #""identityMap":{\#(user(true))}"#)
        #expect(maps[1].contains("FPID") && maps[1].contains(user(false)))
        #expect(maps[2].contains("FPID") && !maps[2].contains("CRMID") && maps[2].contains(#""primary":true"#))
    }

    /// Returns the id in the namespace of installations.
    private func fpid(of deviceID: String) throws -> String {
        let fragment = try destination().encoded(.stub(identity: .stub(deviceID: deviceID))).fragment
        return String(try #require(fragment.firstMatch(of: /"FPID":\[\{"id":"([^"]*)"/)).1)
    }

    private func destination() throws -> AdobeDestination {
        AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1"))
    }
}
