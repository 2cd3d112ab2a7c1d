import Foundation
import HTTPTransport
import Testing

@testable import LoopbackCollector

/// Checks a body as one request to a receiver.
private func messages(
    _ rules: ReceiverRules,
    _ body: String,
    to target: String,
    headers: [(String, String)] = [],
    at time: Int64? = nil
) throws -> [ValidationMessage] {
    let fields = [("Content-Type", "application/json")] + headers
    let request = HTTPRequest(
        url: try #require(URL(string: "https://receiver.example\(target)")),
        headers: try fields.map { try HTTPHeader($0.0, $0.1) },
        body: Array(body.utf8)
    )
    return rules.messages(on: request, at: time)
}

@Suite struct GoogleRulesTests {
    private static let now: Int64 = 1_772_359_200_000_000

    @Test(
        arguments: [
            (0, []), (-72 * 3600 * 1_000_000, []), (-72 * 3600 * 1_000_000 - 1, ["events[0].timestamp_micros"]),
            (1, ["events[0].timestamp_micros"]),
        ] as [(Int64, [String])]
    )
    func `a time at arrival lies within the last 72 hours`(age: Int64, paths: [String]) throws {
        let event = #"{"name":"a","timestamp_micros":\#(Self.now + age)}"#

        for (rules, id, target) in Self.streams {
            let found = try messages(rules, "{\(id),\"events\":[\(event)]}", to: target, at: Self.now)
            #expect(found.map(\.fieldPath) == paths)
            #expect(try messages(rules, "{\(id),\"events\":[\(event)]}", to: target).isEmpty)
        }
    }

    @Test(arguments: [
        ("app_store_subscription_cancel", true, true), ("app_store_subscription_renew", true, true),
        ("query_ids", false, true), ("screen_view", false, true), ("in_app_purchase", false, true),
        ("app_background", true, false), ("page_view", false, false), ("session_start", true, true),
    ])
    func `each stream has its reserved names`(name: String, inApps: Bool, onTheWeb: Bool) throws {
        for ((rules, id, target), isReserved) in zip(Self.streams, [inApps, onTheWeb]) {
            let found = try messages(rules, "{\(id),\"events\":[{\"name\":\"\(name)\"}]}", to: target)
            #expect(found.map(\.code) == (isReserved ? [.nameReserved] : []))
        }
    }

    @Test(arguments: [
        "/mp/collect", "/mp/collect?firebase_app_id=1:1:ios:1", "/mp/collect?firebase_app_id=x&api_secret=s",
        "/?firebase_app_id=1:1:ios:1&api_secret=s",
        "/mp/collect?firebase_app_id=1:1:ios:1&measurement_id=G-1&api_secret=s",
    ])
    func `an address without its parts is a fault`(target: String) throws {
        let body = "{\(Self.streams[0].id),\"events\":[{\"name\":\"a\"}]}"

        #expect(try !messages(.appStream, body, to: target).isEmpty)
    }

    @Test func `a request of one stream is a fault on the other`() throws {
        let event = #""events":[{"name":"a"}]}"#

        for (rules, id, target) in [(ReceiverRules.appStream, 1, 0), (.webStream, 0, 1)] {
            let body = "{\(Self.streams[id].id)," + event
            #expect(try messages(rules, body, to: Self.streams[target].target).count == 2)
        }
    }

    private static let streams: [(rules: ReceiverRules, id: String, target: String)] = [
        (
            .appStream, #""app_instance_id":"0f1e2d3c4b5a69788796a5b4c3d2e1f0""#,
            "/mp/collect?firebase_app_id=1:1:ios:1&api_secret=s"
        ),
        (.webStream, #""client_id":"c""#, "/mp/collect?measurement_id=G-ABC1&api_secret=s"),
    ]
}

@Suite struct BrazeRulesTests {
    private static let time = #""time":"2026-03-01T10:00:00.123Z""#

    @Test(arguments: [
        #"{"external_id":"u","name":"a",\#(time)}"#,
        #"{"external_id":"u","app_id":"x","name":"a",\#(time),"properties":{"p":[1,"x",{"time":true}]}}"#,
        #"{"user_alias":{"alias_name":"d","alias_label":"l"},"_update_existing_only":false,"name":"a",\#(time)}"#,
    ])
    func `a valid event has no message`(event: String) throws {
        #expect(try found("events", event).isEmpty)
    }

    @Test(arguments: [
        (#"{"name":"a",\#(time)}"#, "events[0]"),
        (#"{"external_id":"u","email":"e","name":"a",\#(time)}"#, "events[0]"),
        (#"{"external_id":"","name":"a",\#(time)}"#, "events[0].external_id"),
        (
            #"{"user_alias":{"alias_name":"d","alias_label":"l"},"name":"a",\#(time)}"#,
            "events[0]._update_existing_only"
        ),
        (
            #"{"external_id":"\#(String(repeating: "u", count: 988))","name":"a",\#(time)}"#, "events[0].external_id"
        ),
        (#"{"external_id":"u",\#(time)}"#, "events[0].name"),
        (#"{"external_id":"u","name":"$a",\#(time)}"#, "events[0].name"),
        (#"{"external_id":"u","name":"\#(String(repeating: "€", count: 160))",\#(time)}"#, "events[0].name"),
        (#"{"external_id":"u","name":"a"}"#, "events[0].time"),
        (#"{"external_id":"u","name":"a","time":"yesterday"}"#, "events[0].time"),
        (#"{"external_id":"u","name":"a",\#(time),"more":1}"#, "events[0]"),
        (#"{"external_id":"u","name":"a",\#(time),"properties":{"time":1}}"#, "events[0].properties"),
        (#"{"external_id":"u","name":"a",\#(time),"properties":{"p":null}}"#, "events[0].properties.p"),
        (
            #"{"external_id":"u","name":"a",\#(time),"properties":{"p":"\#(String(repeating: "v", count: 256))"}}"#,
            "events[0].properties.p"
        ),
        (
            #"{"external_id":"u","name":"a",\#(time),"properties":{"\#(String(repeating: "é", count: 240))":1}}"#,
            "events[0].properties"
        ),
        (
            #"{"external_id":"u","name":"ecommerce.cart_updated",\#(time),"#
                + #""properties":{"cart_id":"c","currency":"TRY","products":[],"source":"ios","screen":"s"}}"#,
            "events[0].properties"
        ),
        (
            #"{"external_id":"u","name":"ecommerce.cart_updated",\#(time),"#
                + #""properties":{"cart_id":"c","currency":"TRY","products":[]}}"#,
            "events[0].properties"
        ),
    ])
    func `a fault of an event is reported with its path`(event: String, path: String) throws {
        #expect(try found("events", event).map(\.fieldPath) == [path])
    }

    @Test(arguments: [
        (#"{"external_id":"u","plan":"gold"}"#, []), (#"{"external_id":"u"}"#, ["attributes[0]"]),
        (#"{"external_id":"u","a b":{"c":1}}"#, []), (#"{"external_id":"u","a":[{"c d":1}]}"#, ["attributes[0]"]),
        (#"{"external_id":"u","l":[\#(Array(repeating: "1", count: 500).joined(separator: ","))]}"#, []),
        (
            #"{"external_id":"u","l":[\#(Array(repeating: "1", count: 501).joined(separator: ","))]}"#,
            ["attributes[0].l"]
        ),
    ])
    func `attributes have their own limits`(object: String, paths: [String]) throws {
        #expect(try found("attributes", object).map(\.fieldPath) == paths)
    }

    @Test func `a request needs a key, and has at most 75 objects`() throws {
        let event = #"{"external_id":"u","name":"a",\#(Self.time)}"#
        let many = Array(repeating: event, count: 76).joined(separator: ",")

        let keyless = try messages(.braze, #"{"events":[\#(event)]}"#, to: "/users/track")

        #expect(keyless.map { $0.response?.status } == [401])
        #expect(try found("events", many).map { $0.response?.code } == ["Max Input Length Exceeded"])
        #expect(try found("events", "").map(\.code) == [.valueRequired])
    }

    private func found(_ list: String, _ objects: String) throws -> [ValidationMessage] {
        let headers = [("Authorization", "Bearer k")]
        return try messages(.braze, #"{"\#(list)":[\#(objects)]}"#, to: "/users/track", headers: headers)
    }
}

@Suite struct AdobeRulesTests {
    private static let valid = #""_id":"e","eventType":"a","timestamp":"2026-03-01T10:00:00.123Z""#

    @Test(arguments: [
        #""FPID":[{"id":"79bf8e83-f708-414b-b1ed-5789ff33bf0b","primary":true}]"#,
        #""FPID":[{"id":"79bf8e83-f708-414b-b1ed-5789ff33bf0b","primary":"true"}]"#,
        #""ECID":[{"id":"55613368189701342632255821452918751312","primary":true}],"CRMID":[{"id":"u"}]"#,
    ])
    func `a valid event has no message`(identities: String) throws {
        #expect(try found(identities).isEmpty)
    }

    @Test(arguments: [
        (#""FPID":[{"id":"79bf8e83-f708-614b-b1ed-5789ff33bf0b","primary":true}]"#, "EXEG-0308-400"),
        (#""FPID":[{"id":"79bf8e83-f708-414b-c1ed-5789ff33bf0b","primary":true}]"#, "EXEG-0308-400"),
        (#""FPID":[{"id":"79bf8e83f708414bb1ed5789ff33bf0b","primary":true}]"#, "EXEG-0308-400"),
        (#""ECID":[{"id":"u","primary":true}]"#, "EXEG-0308-400"),
        (#""CRMID":[{"id":"","primary":true}]"#, "EXEG-0305-400"),
        (#""CRMID":[{"id":"null","primary":true}]"#, "EXEG-0305-400"),
        (#""CRMID":[{"id":" ","primary":true}]"#, "EXEG-0305-400"),
        (#""CRMID":[{"id":"\#(String(repeating: "u", count: 1_025))","primary":true}]"#, "EXEG-0305-400"),
        (#""CRMID":[{"id":"u"}]"#, "EXEG-0306-400"),
        (#""CRMID":[{"id":"u","primary":true},{"id":"v","primary":true}]"#, "EXEG-0304-400"),
        (#""Nowhere":[{"id":"u","primary":true}]"#, "EXEG-0013-422"),
    ])
    func `a faulty identity has Adobe's code`(identities: String, code: String) throws {
        #expect(try found(identities).map { $0.response?.code } == [code])
    }

    @Test func `a request needs a datastream, and has at most 64 KB`() throws {
        let identity = #""identityMap":{"CRMID":[{"id":"u","primary":true}]}"#
        let text = String(repeating: "x", count: 64_000)
        let event = #"{"xdm":{\#(Self.valid),\#(identity)},"data":{"x":"\#(text)"}}"#

        let found = try messages(.adobe, #"{"events":[\#(event)]}"#, to: "/ee/v2/collect")

        #expect(found.map { $0.response?.code } == ["EXEG-0002-400", "EXEG-0112-413"])
        #expect(try messages(.adobe, "{", to: "/c?datastreamId=d").map { $0.response?.code } == ["EXEG-0101-400"])
    }

    @Test(arguments: [(0, true), (-1, false)] as [(Int64, Bool)])
    func `an event's time is in the past`(difference: Int64, isValid: Bool) throws {
        let arrival: Int64 = 1_772_359_200_123_000 + difference

        #expect(try found(#""CRMID":[{"id":"u","primary":true}]"#, at: arrival).isEmpty == isValid)
    }

    private func found(_ identities: String, at time: Int64? = nil) throws -> [ValidationMessage] {
        let event = #"{"xdm":{\#(Self.valid),"identityMap":{\#(identities)}}}"#
        return try messages(.adobe, #"{"events":[\#(event)]}"#, to: "/ee/v2/collect?datastreamId=d", at: time)
    }
}

@Suite struct SumoRulesTests {
    private static let target = "/receiver/v1/http/token"

    @Test(arguments: [
        (#"{"timestamp":1}"#, []), ("{}\n{}\n", []), ("", [""]), ("[]", ["events[0]"]), ("{}\n{", ["events[1]"]),
    ])
    func `each line is a JSON object`(body: String, paths: [String]) throws {
        #expect(try messages(.sumo, body, to: Self.target).map(\.fieldPath) == paths)
    }

    @Test(arguments: [(65_535, [true, true]), (65_536, [false, true]), (262_144, [false, false])])
    func `a line is smaller than the source's limit`(size: Int, isValid: [Bool]) throws {
        let line = #"{"x":"\#(String(repeating: "x", count: size - 8))"}"#

        let found = try [ReceiverRules.sumo, .sumo(lineBytes: 262_144)].map {
            try messages($0, line, to: Self.target).isEmpty
        }

        #expect(found == isValid)
    }

    @Test(arguments: [
        ("a=1,b=2", true), ("a=1,b", false), ("a=1=2", false), ("=1", false), ("a=", false), ("a=1,\u{301}=2", true),
        ((0..<30).map { "k\($0)=v" }.joined(separator: ","), true),
        ((0..<31).map { "k\($0)=v" }.joined(separator: ","), false),
        ("k=" + String(repeating: "v", count: 201), false),
    ])
    func `fields are checked as the source separates them`(fields: String, isValid: Bool) throws {
        let found = try messages(.sumo, "{}", to: Self.target, headers: [("X-Sumo-Fields", fields)])

        #expect(found.isEmpty == isValid)
    }

    @Test func `an address without a token is refused`() throws {
        #expect(try messages(.sumo, "{}", to: "/receiver/v1/http/").map { $0.response?.status } == [401])
    }
}

@Suite(.timeLimit(.minutes(2))) struct StrictScriptTests {
    private static let uuid = "79bf8e83-f708-414b-b1ed-5789ff33bf0b"

    @Test(arguments: [
        (#"{"events":[{"external_id":"u","name":"a","time":"2026-03-01T10:00:00Z"}]}"#, 201, "events_processed\":1"),
        (
            #"{"events":[{"external_id":"u","name":"a","time":"2026-03-01T10:00:00Z"},{"name":"b"}]}"#, 201,
            #""input_array":"events","index":1"#
        ),
        (#"{"events":[{"name":"b"}]}"#, 400, "Valid data must be provided"), ("{", 400, "JSON object"),
    ])
    func `Braze's stand-in names the faulty objects`(body: String, status: Int, text: String) throws {
        try check("/users/track", body, headers: "Authorization: Bearer k\r\n", status: status, text: text)
    }

    @Test(arguments: [(uuid, 202, "requestId"), ("79bf8e83-f708-614b-b1ed-5789ff33bf0b", 400, "EXEG-0308-400")])
    func `Adobe's stand-in rejects an identity of another form`(id: String, status: Int, text: String) throws {
        let identity = #""identityMap":{"FPID":[{"id":"\#(id)","primary":true}]}"#
        let xdm = #"{"_id":"e","eventType":"a","timestamp":"1970-01-02T10:00:00Z",\#(identity)}"#

        let body = #"{"events":[{"xdm":\#(xdm)}]}"#

        try check("/ee/v2/collect?datastreamId=d", body, status: status, text: text)
    }

    @Test(arguments: [(1_000_000, 204, "204"), (0, 400, "72 hours"), (300 * 3600 * 1_000_000, 400, "in the past")])
    func `Google's stand-in rejects a time outside of the last 72 hours`(
        time: Int64,
        status: Int,
        text: String
    ) throws {
        let body = #"{"client_id":"c","events":[{"name":"a","timestamp_micros":\#(time + 1)}]}"#

        try check("/mp/collect?measurement_id=G-1&api_secret=s", body, status: status, text: text)
    }

    @Test(arguments: [("{}", 200, "200"), ("[]", 400, "JSON object")])
    func `Sumo Logic's stand-in rejects a line that is not a JSON object`(body: String, status: Int, text: String)
        throws
    {
        try check("/receiver/v1/http/token", body, status: status, text: text)
    }

    @Test func `a service without published rules is accepted`() throws {
        try check("/", "nonsense", status: 200, text: "200")
    }

    /// Sends a request 72 hours after 1970, and checks the response.
    private func check(_ target: String, _ body: String, headers: String = "", status: Int, text: String) throws {
        let services: [CollectorService] = .all
        let script = CollectorScript.strict(services) { 72 * 3600 * 1_000_000 + 2 }
        let collector = try LoopbackCollector(services: services, script: script)
        defer { collector.close() }
        let client = try RawClient(collector)

        client.post(target, body, headers: "Content-Type: application/json\r\nConnection: close\r\n" + headers)
        let response = client.readToEnd()

        #expect(response.hasPrefix("HTTP/1.1 \(status) "))
        #expect(response.contains(text), "\(response)")
    }
}
