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
