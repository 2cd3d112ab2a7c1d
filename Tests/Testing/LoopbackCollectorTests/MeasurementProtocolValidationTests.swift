import LoopbackCollector
import Testing

@Suite struct MeasurementProtocolValidationTests {
    private static let id = #""app_instance_id":"0f1e2d3c4b5a69788796a5b4c3d2E1F0""#

    @Test(arguments: [
        #""user_id":"u-1","timestamp_micros":1,"consent":{"ad_user_data":"DENIED"},"events":[{"name":"a"}]"#,
        #""user_properties":{"plan":{"value":"x","timestamp_micros":5}},"events":[{"name":"a_1","params":{"b":1.5}}]"#,
        #""events":[{"name":"search","timestamp_micros":9,"params":{"search_term":"x","session_id":"17"}}]"#,
        #""events":[{"name":"view_item","params":{"items":[{"item_id":"1","price":2,"shelf":"B"}]}}]"#,
        #""events":[{"name":"x","params":{"value":1,"currency":"EUR","debug_mode":true}}]"#,
        #""events":[{"name":"spend_virtual_currency","params":{"value":1,"virtual_currency_name":"gems"}}]"#,
    ])
    func `a valid body has no message`(members: String) {
        #expect(messages("{\(Self.id),\(members)}") == [])
    }

    @Test(arguments: [
        ("", ["VALUE_INVALID "]), ("[]", ["VALUE_INVALID "]), ("{\"a\"}", ["VALUE_INVALID "]),
        ("{}", ["VALUE_REQUIRED app_instance_id", "VALUE_REQUIRED events"]),
        (
            #"{"app_instance_id":"0f1e","events":[]}"#,
            ["VALUE_INVALID app_instance_id", "VALUE_REQUIRED events"]
        ),
        (#"{"app_instance_id":7,"events":{}}"#, ["VALUE_INVALID app_instance_id", "VALUE_INVALID events"]),
    ])
    func `missing parts of a body are reported`(body: String, expected: [String]) {
        #expect(messages(body) == expected)
    }

    @Test(arguments: [
        (#""client_id":"1.2""#, "VALUE_INVALID client_id"), (#""user_id":5"#, "VALUE_INVALID user_id"),
        (#""timestamp_micros":"1""#, "VALUE_INVALID timestamp_micros"), (#""consent":1"#, "VALUE_INVALID consent"),
        (#""consent":{"ad_user_data":"yes"}"#, "VALUE_INVALID consent.ad_user_data"),
        (#""consent":{"analytics_storage":"DENIED"}"#, "NAME_INVALID consent"),
        (#""user_properties":{"plan":"x"}"#, "VALUE_INVALID user_properties.plan"),
        (#""user_properties":{"plan":{"value":"x","more":1}}"#, "VALUE_INVALID user_properties.plan"),
        (#""user_properties":{"user_id":{"value":"x"}}"#, "NAME_RESERVED user_properties"),
        (#""user_properties":{"a2345678901234567890123_5":{"value":1}}"#, "NAME_INVALID user_properties"),
    ])
    func `a fault at the top level is reported with its path`(member: String, expected: String) {
        #expect(messages(#"{\#(Self.id),\#(member),"events":[{"name":"a"}]}"#) == [expected])
    }

    @Test(arguments: [
        (#"1"#, "VALUE_INVALID events[0]"), (#"{}"#, "VALUE_REQUIRED events[0].name"),
        (#"{"name":""}"#, "VALUE_REQUIRED events[0].name"), (#"{"name":"1a"}"#, "NAME_INVALID events[0]"),
        (#"{"name":"a b"}"#, "NAME_INVALID events[0]"), (#"{"name":"ä"}"#, "NAME_INVALID events[0]"),
        (#"{"name":"session_start"}"#, "NAME_RESERVED events[0]"), (#"{"name":"ga_x"}"#, "NAME_RESERVED events[0]"),
        (#"{"name":"a","more":1}"#, "NAME_INVALID events[0]"),
        (#"{"name":"a","params":1}"#, "VALUE_INVALID events[0].params"),
        (#"{"name":"a","params":{"firebase_conversion":1}}"#, "NAME_RESERVED events[0].params"),
        (#"{"name":"a","params":{"b":true}}"#, "VALUE_INVALID events[0].params.b"),
        (#"{"name":"a","params":{"b":{"c":1}}}"#, "VALUE_INVALID events[0].params.b"),
        (#"{"name":"a","params":{"session_id":0}}"#, "VALUE_INVALID events[0].params.session_id"),
        (#"{"name":"a","params":{"engagement_time_msec":"x"}}"#, "VALUE_INVALID events[0].params.engagement_time_msec"),
        (#"{"name":"a","params":{"value":1}}"#, "VALUE_REQUIRED events[0].params.currency"),
        (#"{"name":"a","params":{"currency":"EUR"}}"#, "VALUE_REQUIRED events[0].params.value"),
        (#"{"name":"a","params":{"currency":"eur","value":1}}"#, "VALUE_INVALID events[0].params.currency"),
        (#"{"name":"search","params":{"search_term":""}}"#, "VALUE_REQUIRED events[0].params.search_term"),
        (#"{"name":"view_cart"}"#, "VALUE_REQUIRED events[0].params.items"),
    ])
    func `a fault in an event is reported with its path`(event: String, expected: String) {
        #expect(messages(#"{\#(Self.id),"events":[\#(event)]}"#) == [expected])
    }

    @Test(arguments: [
        (#"{}"#, "VALUE_REQUIRED events[0].params.items[0]"), (#"1"#, "VALUE_INVALID events[0].params.items[0]"),
        (#"{"item_id":""}"#, "VALUE_REQUIRED events[0].params.items[0]"),
        (#"{"item_id":"1","price":"2"}"#, "VALUE_INVALID events[0].params.items[0].price"),
        (#"{"item_id":1}"#, "VALUE_INVALID events[0].params.items[0].item_id"),
        (#"{"item_name":"a","list":[]}"#, "VALUE_INVALID events[0].params.items[0].list"),
    ])
    func `a fault in an item is reported with its path`(item: String, expected: String) {
        #expect(messages(#"{\#(Self.id),"events":[{"name":"x","params":{"items":[\#(item)]}}]}"#) == [expected])
    }

    @Test(arguments: [(0, []), (1, ["x"])])
    func `each limit accepts exactly its number`(extra: Int, expected: [String]) {
        func list(_ count: Int, _ element: (Int) -> String) -> String {
            (0..<count + extra).map(element).joined(separator: ",")
        }
        func text(_ length: Int) -> String { String(repeating: "x", count: length + extra) }
        let bodies = [
            list(25) { _ in #"{"name":"a"}"# }, #"{"name":"\#(text(40))"}"#,
            #"{"name":"a","params":{\#(list(25) { "\"p\($0)\":1" })}}"#, #"{"name":"a","params":{"\#(text(40))":1}}"#,
            #"{"name":"a","params":{"b":"\#(text(100))"}}"#,
            #"{"name":"a","params":{"page_location":"\#(text(1000))"}}"#,
            #"{"name":"a","params":{"items":[\#(list(200) { _ in #"{"item_id":"1"}"# })]}}"#,
            #"{"name":"a","params":{"items":[{"item_id":"1",\#(list(10) { "\"p\($0)\":1" })}]}}"#,
        ].map { #"{\#(Self.id),"events":[\#($0)]}"# }

        for body in bodies { #expect(messages(body).count == expected.count, "\(body.prefix(120))") }
    }

    @Test func `a body of 130 000 bytes is too large`() {
        let start = #"{\#(Self.id),"events":[{"name":"a"}]"#
        let fill = String(repeating: " ", count: 129_998 - start.utf8.count)

        #expect(messages(start + fill + "}") == [])
        #expect(messages(start + fill + " }") == ["VALUE_OUT_OF_BOUNDS "])
    }

    @Test func `the server responds with the messages as JSON, with any text`() throws {
        let collector = try LoopbackCollector(script: .measurementProtocolValidation)
        defer { collector.close() }
        let event = #"{"name":"a\"\\\n\u0001"}"#

        let client = try RawClient(collector)

        client.post("/debug/mp/collect?api_secret=x", #"{\#(Self.id),"events":[\#(event)]}"#)
        _ = client.read(until: "\r\n\r\n")
        let response = try #require(client.read(until: "]}"))

        let message = try #require(CollectedValue(Array(response.utf8))?["validationMessages"]?[0])
        #expect(message["validationCode"] == "NAME_INVALID")
        #expect(message["description"]?.string?.contains("a\"\\\n\u{1}") == true)
    }

    private func messages(_ body: String) -> [String] {
        MeasurementProtocolValidation.messages(on: Array(body.utf8)).map { "\($0.code.rawValue) \($0.fieldPath)" }
    }
}
