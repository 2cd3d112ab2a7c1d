import Testing

@testable import LoopbackCollector

@Suite struct EventReaderTests {
    private static func body(_ records: String) -> [UInt8] {
        Array(#"{"x":[1],"resourceLogs":[{"scopeLogs":[{"scope":{},"logRecords":[\#(records)]},{}]},{"y":0}]}"#.utf8)
    }

    @Test(arguments: [
        ("", []), (#"{"attributes":[]},{}"#, ["", ""]),
        (
            #"{"attributes":[{"key":"a","value":{"stringValue":"no"}},"#
                + #"{"key":"log.record.uid","value":{"stringValue":"1"}}]}"#,
            ["1"]
        ),
        (#"{"attributes":[{"value":{"stringValue":"2"},"key":"log.record.uid"}],"eventName":"e"}"#, ["2"]),
        (#"{"attributes":[{"key":"log.record.uid","value":{"intValue":"3"}}]}"#, [""]),
    ]) func `ids are found in lists of lists, and among attributes`(records: String, ids: [String]) {
        #expect(EventReader.ids(in: Self.body(records), of: .awesomeTrackingByOTLP) == ids)
    }

    @Test(arguments: [
        "", "[]", #"{"resourceLogs":{}}"#, #"{"resourceLogs":[{"scopeLogs":[1]}]}"#, #"{"resourceLogs":[]"#,
    ])
    func `a body of another layout is malformed`(body: String) {
        #expect(EventReader.ids(in: Array(body.utf8), of: .awesomeTrackingByOTLP) == nil)
    }

    @Test(arguments: [
        (CollectorService.awesomeTracking, "{\"a\": 1}\n\n {\"b\":2.0}", ["{\"a\": 1}", " {\"b\":2.0}"]),
        (.firebase, #"{"x":[3],"events":[ {"name":"n"} ,{}]}"#, [#"{"name":"n"}"#, "{}"]),
        (.awesomeTrackingByOTLP, #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},7]}]}]}"#, ["{}", "7"]),
        (.firebase, #"{"events":[{}]"#, []), (.firebase, #"{"events":7}"#, []),
    ]) func `an event has the range of its text`(service: CollectorService, body: String, texts: [String]) {
        let body = Array(body.utf8)

        let places = EventReader.places(in: body, of: service)

        #expect(places.map { String(decoding: body[$0], as: UTF8.self) } == texts)
    }
}

@Suite struct IDSetTests {
    @Test func `ids are distinguished exactly, in any format`() {
        var ids = IDSet()
        let all = [
            "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a", "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6b",
            "0198C7E2-5F0A-7C31-9A55-1F2E3D4C5B6A", "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6g",
            "0198c7e25f0a-7c31-9a55--1f2e3d4c5b6a", "e-1", "",
        ]

        let first = all.map { ids.insert($0) }
        let second = all.map { ids.insert($0) }

        #expect(!first.contains(false))
        #expect(!second.contains(true))
        #expect(ids.count == all.count)
        #expect(all.allSatisfy(ids.contains))
        #expect(!ids.contains("e-2"))
    }

    @Test func `a bound keeps the latest ids and forgets the oldest`() {
        var ids = IDSet(bound: 10)
        for number in 0..<35 { _ = ids.insert("\(number)") }

        let known = (0..<35).filter { ids.contains("\($0)") }
        let answers = [ids.insert("25"), ids.insert("3")]

        #expect(known == Array(20..<35))
        #expect(answers == [false, true])
    }
}

@Suite struct CollectedValueTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), (" -0 ", 0), ("12", 12), ("1e3", 1000.0), ("-1.5E-1", -0.15),
            (#""a\"\\\/\b\f\n\r\tü\u00fc\ud83d\ude00""#, "a\"\\/\u{8}\u{c}\n\r\tüü😀"),
            ("[]", .array([])), ("[1, [2]]", .array([1, .array([2])])), ("{}", .object([:])),
            (#"{"a":{"b":[true]}, "a":1}"#, .object(["a": 1])), ("9223372036854775808", 9223372036854775808.0),
        ] as [(String, CollectedValue)]
    ) func `JSON is parsed`(text: String, value: CollectedValue) {
        #expect(CollectedValue(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "01", "1.", ".5", "-", "+1", "1e", "NaN", "Infinity", "1e999", #"""#, #""\"#, #""\x""#,
        #""\u12"#, #""\u12g4""#, "\"\n\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", #"{"a""#, #"{"a":"#,
        #"{"a":1"#, #"{"a":1,}"#, "{a:1}", #"{"a" 1}"#, "1 2", "{}x", "]",
    ]) func `invalid JSON is rejected`(text: String) {
        #expect(CollectedValue(Array(text.utf8)) == nil)
    }

    @Test func `excessive nesting is rejected without recursion`() {
        #expect(CollectedValue([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
    }

    @Test func `bytes that are not UTF-8 are rejected`() {
        #expect(CollectedValue([0x22, 0xFF, 0x22]) == nil)
    }
}

@Suite struct CollectedEventTextTests {
    @Test func `an event prints its name and its JSON with sorted keys`() throws {
        let text = #"{"props":[1,2.5,true,null],"name":"a \"b\"\n\u0001"}"#
        let json = try #require(CollectedValue(Array(text.utf8)))

        let event = CollectedEvent(id: "1", name: "viewed", json: json, arrival: 1, range: 0..<1)

        #expect("\(event)" == #"viewed {"name":"a \"b\"\n\u0001","props":[1,2.5,true,null]}"#)
        #expect(CollectedValue(Array("\(event.json)".utf8)) == event.json)
    }
}
