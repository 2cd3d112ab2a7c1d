import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@Suite struct BrazeDestinationTests {
    private static let now = Timestamp(microseconds: 1_772_359_200_123_456)
    private static let user = Identity.stub(userID: "u-8841")

    @Test func `a minimal event has the golden body`() throws {
        let request = try destination().request(carrying: [.stub(identity: Self.user)])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("minimal.json")))
        #expect(request.url.absoluteString == "https://rest.fra-01.braze.eu/users/track")
        #expect(request.method == "POST")
        #expect(
            request.headers == [
                try HTTPHeader("Content-Type", "application/json"), try HTTPHeader("Authorization", "Bearer se-cret"),
            ]
        )
        #expect(!request.allowsGzip)
    }

    @Test func `a batch of a user and an unknown installation has the golden body`() throws {
        let parameters: EventParameters = [
            "sku": "BK-17", "quantity": 2, "unit_price": 12.99, "gift": false, "tags": ["atlas", "maps"],
        ]
        let request = try destination(appID: "1f0d2c3b-4a59-4687-9786-a5b4c3d2e1f0").request(carrying: [
            .stub(
                name: "cart_line_added",
                parameters: parameters,
                defaults: ["channel": "app"],
                identity: Self.user
            ),
            .stub(
                id: .stub(2),
                name: "Sign-up \"opened\"",
                time: Timestamp(microseconds: 1_772_359_140_000_000)
            ),
        ])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("full.json")))
    }

    @Test(
        arguments: [
            ("", "name_empty"), ("$name", "name_reserved"), ("$\u{301}name", "name_reserved"), ("a\nb", "name_invalid"),
            (String(repeating: "n", count: 256), "name_too_long"),
            (String(repeating: "é", count: 240), "name_too_long"),
        ]
    )
    func `an event whose name breaks a rule is refused`(name: String, rule: String) throws {
        #expect(throws: EventEncodingError(rule: rule)) { try destination().encoded(.stub(name: name)) }
    }

    @Test(arguments: [(159, "ab", true), (159, "abc", false), (160, "", false)])
    func `a name and a key have at most 479 bytes`(signs: Int, end: String, isTaken: Bool) throws {
        let text = String(repeating: "€", count: signs) + end

        let named = try? destination().encoded(.stub(name: text))
        let keyed = try destination().encoded(.stub(parameters: [ParameterKey(text): 1]))

        #expect((named != nil) == isTaken)
        #expect(keyed.adjustments == (isTaken ? [:] : ["key_too_long": 1]))
    }

    @Test func `an event without a user and an installation is refused`() {
        #expect(throws: EventEncodingError(rule: "identity_missing")) {
            try destination().encoded(.stub(identity: .stub(deviceID: "", userID: "")))
        }
    }

    @Test func `an event of a user with a longer id than Braze allows is refused, not given to the installation`() {
        let identity = Identity.stub(userID: String(repeating: "é", count: 494))

        #expect(throws: EventEncodingError(rule: "user_id_too_long")) {
            try destination().encoded(.stub(identity: identity))
        }
    }

    @Test(arguments: [(0, [:]), (1, ["timestamp_in_future": 1])] as [(Int64, [String: Int])])
    func `a time in the future is sent unchanged and counted, because Braze adjusts it`(
        seconds: Int64,
        adjustments: [String: Int]
    ) throws {
        let destination = try destination()
        let event = OutgoingEvent.stub(name: #"a","time":"9999"#, time: Self.now.advanced(bySeconds: seconds))
        let encoded = try destination.batch(of: [event])
        let batch = OutgoingBatch(id: encoded.id, time: Self.now, events: encoded.events)

        #expect(destination.adjustments(in: batch) == adjustments)
        #expect(destination.request(for: batch).body == destination.request(for: encoded).body)
    }

    @Test(arguments: ["time", "event_name", "$x", "", "a\u{7}"])
    func `a property that would invalidate the whole object is left out`(key: String) throws {
        let encoded = try destination().encoded(.stub(parameters: [ParameterKey(key): 1, "ok": 2]))

        #expect(encoded.fragment.contains(#""properties":{"ok":2,"event_uid""#))
        #expect(encoded.adjustments.values.reduce(0, +) == 1)
    }

    @Test func `a reserved name is allowed inside an object`() throws {
        let encoded = try destination().encoded(.stub(parameters: ["step": ["time": 3]]))

        #expect(encoded.fragment.contains(#""step":{"time":3}"#))
        #expect(encoded.adjustments.isEmpty)
    }

    @Test(arguments: [(254, 0), (255, 0), (256, 1)])
    func `one of 256 properties is the event's id`(count: Int, adjustments: Int) throws {
        let parameters = EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })

        let encoded = try destination().encoded(.stub(parameters: parameters))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["too_many_parameters": adjustments]))
    }

    @Test(arguments: [(254, 0), (255, 0), (256, 1)])
    func `a text has at most 255 characters`(length: Int, adjustments: Int) throws {
        let text = String(repeating: "x", count: length)

        let encoded = try destination().encoded(.stub(parameters: ["note": .string(text)]))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["value_too_long": adjustments]))
        #expect(encoded.fragment.contains("\"note\":\"\(text.prefix(255))\""))
    }

    @Test(arguments: [(-1, true), (0, true), (1, false)])
    func `properties have at most 100 KB`(surplus: Int, isTaken: Bool) throws {
        let empty = #"{"l":[],"event_uid":"01950000-0000-7000-8000-000000000001"}"#.utf8.count
        var room = 102_400 - empty + surplus
        var texts: [ParameterValue] = []
        while room > 300 {
            texts.append(.string(String(repeating: "x", count: 197)))
            room -= 200
        }
        texts.append(.string(String(repeating: "x", count: room - 2)))

        let encoded = try? destination().encoded(.stub(parameters: ["l": .array(texts)]))

        #expect((encoded != nil) == isTaken)
    }

    @Test func `flat properties have at most 100 KB too`() {
        let text = ParameterValue.string(String(repeating: "ü", count: 255))
        let parameters = EventParameters((0..<250).map { (ParameterKey("p\($0)"), text) })

        #expect(throws: EventEncodingError(rule: "properties_too_large", field: "properties")) {
            try destination().encoded(.stub(parameters: parameters))
        }
    }

    @Test func `an event with a schema of Braze has only the properties of its schema at the top`() throws {
        let event = OutgoingEvent.stub(
            name: "ecommerce.order_placed",
            parameters: [
                "order_id": "o-1", "total_value": 12.5, "products": [], "metadata": ["gift": true, "screen": "own"],
            ],
            defaults: ["currency": "TRY", "source": "ios", "screen": "checkout", "feature": "basket"]
        )

        let encoded = try destination().encoded(event)

        #expect(
            encoded.fragment.contains(
                #""metadata":{"event_uid":"01950000-0000-7000-8000-000000000001","screen":"own","feature":"basket","#
                    + #""gift":true}"#
            ),
            "\(encoded.fragment)"
        )
        let request = try destination().request(carrying: [event])
        #expect(ReceiverRules.braze.messages(on: request, at: nil).isEmpty)
    }

    @Test func `the own parameters of a recommended event override defaults, and its metadata is an object`() throws {
        let defaults: EventParameters = ["cart_id": "A", "metadata": ["theme": "dark"]]
        let event = OutgoingEvent.stub(name: "ecommerce.cart_updated", parameters: ["cart_id": "B"], defaults: defaults)
        var invalid = event
        invalid.parameters["metadata"] = "x"

        let encoded = try destination().encoded(event)

        #expect(encoded.fragment.contains(#""cart_id":"B""#) && !encoded.fragment.contains(#""A""#))
        #expect(encoded.fragment.contains(#""theme":"dark"}"#), "\(encoded.fragment)")
        #expect(throws: EventEncodingError(rule: "metadata_invalid")) { try destination().encoded(invalid) }
    }

    @Test func `a user's events and an installation's share a request`() throws {
        let destination = try destination()

        #expect(destination.batchKey(of: .stub()) == destination.batchKey(of: .stub(identity: Self.user)))
        #expect(destination.limits.events == 75)
        #expect(destination.limits.bodyBytes <= 4_000_000)
        #expect(destination.limits.framingBytes >= #"{"events":[]}"#.utf8.count + 74)
        #expect(destination.purpose == .marketing)
    }

    private func destination(appID: String? = nil) throws -> BrazeDestination {
        let configuration = try BrazeConfiguration(
            endpoint: Endpoint("https://rest.fra-01.braze.eu"),
            apiKey: "se-cret",
            appID: appID
        )
        return BrazeDestination(product: "DL", configuration: configuration)
    }
}
