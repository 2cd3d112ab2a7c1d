import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import GoogleAnalytics
import LoopbackCollector
import Testing

@Suite struct GoogleAnalyticsDestinationTests {
    private let destination: GoogleAnalyticsDestination

    init() throws {
        destination = GoogleAnalyticsDestination(
            product: "DL",
            configuration: try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "se-cret_1")
        )
    }

    @Test func `a request has the device that the app states`() throws {
        let configuration = try GoogleAnalyticsConfiguration(
            measurementID: "G-ABC1234567",
            apiSecret: "s",
            device: ["category": "desktop"]
        )
        let request = try GoogleAnalyticsDestination(product: "DL", configuration: configuration)
            .request(carrying: [.stub()])

        #expect(String(decoding: request.body, as: UTF8.self).contains(#""device":{"category":"desktop"},"events":["#))
    }

    @Test func `a minimal event has the golden body`() throws {
        let request = try destination.request(carrying: [.stub()])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("web-stream-minimal.json")))
        #expect(request.url.absoluteString == Self.address)
        #expect(request.method == "POST")
        #expect(request.headers == [try HTTPHeader("Content-Type", "application/json")])
        #expect(!request.allowsGzip)
    }

    @Test(arguments: [(Consent.granted, "GRANTED"), (.denied, "DENIED"), (.unknown, "DENIED")])
    func `the request contains the user's decision about advertising`(consent: Consent, word: String) throws {
        let event = OutgoingEvent.stub()
        let batch = OutgoingBatch(
            id: .stub(),
            key: destination.batchKey(of: event),
            events: [.init(id: event.id, fragment: Array("{}".utf8)[...])],
            consents: [.marketing: consent]
        )

        let body = String(decoding: destination.request(for: batch).body, as: UTF8.self)

        #expect(body.contains(#","consent":{"ad_user_data":"\#(word)","ad_personalization":"\#(word)"},"events":"#))
        #expect(try JSONSerialization.jsonObject(with: Data(body.utf8)) is [String: Any])
    }

    @Test func `a batch of a user has the golden body`() throws {
        let purchase: EventParameters = [
            "session_id": "1730000000", "currency": "EUR", "value": 25.98, "gift": true,
            "items": [
                [
                    "item_id": "BK-17", "item_name": "Atlas \"Nord\"", "price": 12.99, "quantity": 2, "index": 0,
                    "shelf": "B3",
                ]
            ],
        ]
        let identity = Identity.stub(userID: "u-8841")
        let request = try destination.request(carrying: [
            .stub(name: "add_to_cart", parameters: purchase, defaults: ["channel": "app"], identity: identity),
            .stub(
                id: .stub(2),
                parameters: ["engagement_time_msec": 40, "track_id": "tr-55"],
                time: Timestamp(microseconds: 1_772_359_202_000_000),
                identity: identity
            ),
        ])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("web-stream-full.json")))
    }

    @Test func `traits have the golden body`() throws {
        var update = OutgoingEvent.stub(
            name: ProfileUpdate.traits.rawValue,
            parameters: ["plan": "gold", "newsletter": true, "city": "\"Łódź\"},{"],
            identity: .stub(userID: "u-8841"),
            update: .traits
        )
        update.removedTraits = ["phone"]

        let request = try destination.request(carrying: [update])

        #expect(String(decoding: request.body, as: UTF8.self) == (try Fixture.text("web-stream-traits.json")))
        #expect(destination.updates == [.traits])
    }

    @Test func `an update is a request of its own`() {
        let updates = [1, 2].map { OutgoingEvent.stub(id: .stub($0), parameters: ["plan": "gold"], update: .traits) }

        #expect(Set((updates + [.stub()]).map(destination.batchKey)).count == 3)
    }

    @Test(
        arguments: [
            (24, 36, 25, [:]), (25, 36, 25, ["key_too_long": 1]), (24, 37, 25, ["value_too_long": 1]),
            (24, 36, 26, ["too_many_parameters": 1]),
        ]
    )
    func `traits follow the limits of user properties`(
        name: Int,
        value: Int,
        count: Int,
        adjustments: [String: Int]
    ) throws {
        var traits: EventParameters = [
            ParameterKey(String(repeating: "k", count: name)): .string(String(repeating: "ü", count: value))
        ]
        for number in 1..<count { traits[ParameterKey("p\(number)")] = .int(number) }

        let encoded = try destination.encoded(.stub(parameters: traits, update: .traits))

        #expect(encoded.adjustments == adjustments)
        #expect(throws: EventEncodingError(rule: "traits_empty")) {
            try destination.encoded(.stub(parameters: ["user_id": "u"], update: .traits))
        }
    }

    @Test func `events share a request only when client and user are the same`() {
        let keys = [
            OutgoingEvent.stub(identity: .stub()), .stub(identity: .stub(userID: "u")),
            .stub(identity: .stub(deviceID: "d", userID: "u")), .stub(identity: .stub(userID: "")),
        ].map(destination.batchKey)

        #expect(Set(keys).count == 3)
        #expect(keys[0] == keys[3])
        #expect(keys[2] == #""client_id":"d","user_id":"u""#)
    }

    @Test(arguments: [(256, true), (257, false)])
    func `a user id over the limit is left out and counted`(length: Int, isSent: Bool) throws {
        let event = OutgoingEvent.stub(identity: .stub(userID: String(repeating: "u", count: length)))

        let adjustments = try destination.encoded(event).adjustments

        #expect(adjustments == (isSent ? [:] : ["user_id_invalid": 1]))
        #expect(destination.batchKey(of: event).contains("user_id") == isSent)
    }

    @Test(arguments: [
        "", "screen_view", "app_store_subscription_cancel", "app_store_subscription_renew", "query_id", "query_ids",
        "session_start", "9lives", "a-b", String(repeating: "n", count: 41),
    ])
    func `an event whose name Google does not take is refused`(name: String) {
        #expect(throws: EventEncodingError.self) { try destination.encoded(.stub(name: name)) }
    }

    @Test(
        arguments: [(0, nil), (3600, "timestamp_in_future"), (-100 * 3600, "timestamp_clamped")] as [(Int64, String?)]
    )
    func `times follow the rules at the time of the request`(age: Int64, rule: String?) throws {
        let event = OutgoingEvent.stub()
        let fragment = try destination.batch(of: [event]).events
        let now = event.time.advanced(bySeconds: -age)
        let batch = OutgoingBatch(id: .stub(), key: destination.batchKey(of: event), time: now, events: fragment)

        let body = String(decoding: destination.request(for: batch).body, as: UTF8.self)

        let oldest = now.advanced(bySeconds: -(72 * 3600 - 300))
        let sent = rule == "timestamp_in_future" ? nil : max(event.time, oldest)
        let time = sent.map { "\"timestamp_micros\":\($0.microseconds)," } ?? ""
        #expect(body.contains(#"{"name":"play_start","# + time + #""params""#))
        #expect(destination.adjustments(in: batch) == (rule.map { [$0: 1] } ?? [:]))
    }

    @Test(arguments: [(60, "timestamp_in_future"), (-100 * 3600, "timestamp_clamped")] as [(Int64, String)])
    func `the times of traits follow the same rules`(age: Int64, rule: String) throws {
        let update = OutgoingEvent.stub(parameters: ["plan": "gold"], update: .traits)
        let fragment = try destination.batch(of: [update]).events
        let now = update.time.advanced(bySeconds: -age)
        let batch = OutgoingBatch(id: .stub(), key: destination.batchKey(of: update), time: now, events: fragment)

        let body = String(decoding: destination.request(for: batch).body, as: UTF8.self)

        let oldest = now.advanced(bySeconds: -(72 * 3600 - 300)).microseconds
        let times = body.matches(of: /"timestamp_micros":(\d+)/).compactMap { Int64($0.1) }
        #expect(times == (rule == "timestamp_clamped" ? [oldest, oldest] : []))
        #expect(destination.adjustments(in: batch) == [rule: 1])
    }

    @Test func `a parameter cannot replace the event's id`() throws {
        let encoded = try destination.encoded(.stub(parameters: ["event_id": "forged"]))

        #expect(encoded.fragment.contains(#""params":{"event_id":"\#(EventID.stub())","session_id":1772359200,"#))
        #expect(!encoded.fragment.contains("forged"))
        #expect(encoded.adjustments == ["key_reserved": 1])
    }

    @Test func `an event without a client is refused`() {
        #expect(throws: EventEncodingError(rule: "client_id_invalid", field: "client_id")) {
            try destination.encoded(.stub(identity: .stub(deviceID: "")))
        }
    }

    @Test(arguments: [(21, 0), (22, 0), (23, 1)])
    func `three of 25 parameters are reserved for the id and the session`(count: Int, adjustments: Int) throws {
        let parameters = EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })

        let encoded = try destination.encoded(.stub(parameters: parameters))

        #expect(encoded.adjustments == (adjustments == 0 ? [:] : ["too_many_parameters": adjustments]))
        let automatic = #""params":{"event_id":"\#(EventID.stub())","session_id":1772359200,"engagement_time_msec":1"#
        #expect(encoded.fragment.contains(automatic + #","p0":0"#))
    }

    @Test(arguments: [("note", 99), ("note", 100), ("page_title", 300), ("page_location", 1000)])
    func `a text at its limit is sent unchanged, and a longer one is truncated`(key: String, length: Int) throws {
        let text = String(repeating: "x", count: length)
        let limit = key == "note" ? 100 : length

        let exact = try destination.encoded(.stub(parameters: [ParameterKey(key): .string(text)]))
        let longer = String(repeating: "x", count: limit + 1)
        let cut = try destination.encoded(.stub(parameters: [ParameterKey(key): .string(longer)]))

        #expect(exact.adjustments.isEmpty)
        #expect(cut.adjustments == ["value_too_long": 1])
        #expect(cut.fragment.contains("\"\(longer.dropLast())\""))
    }

    @Test(arguments: [("note", 500), ("page_title", 500), ("page_location", 1000)])
    func `a text of an Analytics 360 property may be longer`(key: String, limit: Int) throws {
        let stream = try GoogleAnalyticsConfiguration(
            measurementID: "G-ABC1234567",
            apiSecret: "se-cret_1",
            rules: .webStream360
        )
        let destination = GoogleAnalyticsDestination(product: "DL", configuration: stream)
        let texts = [limit, limit + 1].map { String(repeating: "x", count: $0) }

        let encoded = try texts.map { try destination.encoded(.stub(parameters: [ParameterKey(key): .string($0)])) }

        #expect(encoded.map { $0.fragment.contains("\"\(texts[0])\"") } == [true, true])
        #expect(encoded.map(\.adjustments) == [[:], ["value_too_long": 1]])
    }

    @Test func `a full batch of the longest kind stays below 130 kB`() throws {
        let identity = Identity.stub(
            deviceID: String(repeating: "\u{1}", count: 256),
            userID: String(repeating: "\u{1}", count: 256)
        )
        let key = destination.batchKey(of: .stub(identity: identity))

        #expect(#"{,"events":[]}"#.utf8.count + key.utf8.count + 24 <= destination.limits.framingBytes)
        #expect(destination.limits.bodyBytes < 130_000)
        #expect(destination.limits.events == 25)
    }

    @Test(
        arguments: [
            (200, BatchResult.delivered), (204, .delivered), (299, .delivered), (302, .paused(.intercepted)),
            (400, .suspect("status 400")), (401, .paused(.credentials)), (403, .paused(.credentials)),
            (404, .paused(.endpoint)), (413, .tooLarge), (414, .paused(.endpoint)), (422, .suspect("status 422")),
            (431, .paused(.protocolMismatch)), (429, .retry(after: nil)), (500, .retry(after: nil)),
            (503, .retry(after: nil)),
        ]
    )
    func `each status has its meaning`(status: Int, result: BatchResult) throws {
        let batch = try destination.batch(of: [.stub()])

        #expect(destination.result(for: HTTPResponse(status: status), of: batch) == result)
    }

    @Test(arguments: [("", BatchResult.delivered), (" \n", .delivered), ("<p>Sign in", .paused(.intercepted))])
    func `only an HTML body that is not blank is a page`(body: String, result: BatchResult) throws {
        let batch = try destination.batch(of: [.stub()])
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array(body.utf8))

        #expect(destination.result(for: response, of: batch) == result)
    }

    private static let address =
        "https://www.google-analytics.com/mp/collect?measurement_id=G-ABC1234567&api_secret=se-cret_1"
}

@Suite(.timeLimit(.minutes(5))) struct GoogleAnalyticsContractTests {
    @Test(arguments: DestinationContract.checks)
    func `a web stream's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let secret: Secret = "se-cret_1"
        let stream = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: secret)
        let subject = DestinationContract.Subject(
            GoogleAnalyticsDestination(product: "DL", configuration: stream),
            acknowledgement: HTTPResponse(status: 204),
            bodies: [.init("web-stream-minimal.json", of: [.stub()], is: try Fixture.text("web-stream-minimal.json"))],
            limits: [
                .init("name_too_long", at: 40) { .stub(name: String(repeating: "n", count: $0)) },
                .init("key_too_long", at: 40) {
                    .stub(parameters: [ParameterKey(String(repeating: "k", count: $0)): 1])
                },
                .init("value_too_long", at: 100) {
                    .stub(parameters: ["x": .string(String(repeating: "v", count: $0))])
                },
                .init("too_many_parameters", at: 22) { .stub(parameters: .numbered($0)) },
                .init("user_id_invalid", at: 256) {
                    .stub(identity: .stub(userID: String(repeating: "u", count: $0)))
                },
            ],
            statuses: [
                200: .delivered, 204: .delivered, 302: .paused(.intercepted), 401: .paused(.credentials),
                403: .paused(.credentials), 404: .paused(.endpoint), 413: .tooLarge, 429: .retry(after: nil),
                500: .retry(after: nil), 503: .retry(after: nil),
            ],
            receiver: .webStream,
            secrets: [secret.value]
        )

        try await check.run(subject)
    }
}

@Suite struct GoogleAnalyticsConfigurationTests {
    @Test(arguments: [
        ("https://relay.example", "https://relay.example/mp/collect?"),
        ("https://relay.example/", "https://relay.example/mp/collect?"),
        ("https://relay.example/?", "https://relay.example/mp/collect?"),
        ("https://relay.example/ga?", "https://relay.example/ga?"),
        ("https://relay.example/ga?app=1", "https://relay.example/ga?app=1&"),
    ])
    func `an endpoint without a path gets that of the protocol`(address: String, base: String) throws {
        let stream = try GoogleAnalyticsConfiguration(
            measurementID: "G-ABC1234567",
            apiSecret: "se-cret~1",
            endpoint: Endpoint(address)
        )

        let request = try GoogleAnalyticsDestination(product: "DL", configuration: stream).request(carrying: [.stub()])

        #expect(request.url.absoluteString == base + "measurement_id=G-ABC1234567&api_secret=se-cret~1")
    }

    @Test(arguments: ["", "G-", "G-abc", "UA-123", "G-AB C", "G-AB&x=1"])
    func `a measurement id of the wrong form is refused`(id: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "measurementID",
                expected: "\"G-\" followed by capital letters and digits"
            )
        ) { try GoogleAnalyticsConfiguration(measurementID: id, apiSecret: "secret") }
    }

    @Test(arguments: ["", "hu sh", "hu&sh", "hu\nsh", "hu+sh"])
    func `a secret of the wrong form is refused and not repeated`(secret: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: Secret(secret))
        }

        #expect(error.map { String(describing: $0).contains("hu") } == false)
    }

    @Test func `the secret is in no description`() throws {
        let configuration = try GoogleAnalyticsConfiguration(measurementID: "G-ABC1234567", apiSecret: "hush-hush")
        let destination = GoogleAnalyticsDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush-hush"))
        }
    }
}
