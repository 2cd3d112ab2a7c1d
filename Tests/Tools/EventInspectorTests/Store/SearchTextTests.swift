import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct SearchTextTests {
    private static func sighting(_ service: String, id: String, _ parameters: String) -> Sighting {
        var sighting = Sighting(service: service, id: id, name: "a", time: 0)
        let row = "{\"event_id\":\"\(id)\",\"user_id\":\"u-1\",\"props\":\(JSONBuilder.quoted(parameters))}"
        sighting.facts = WireFacts(CollectedValue(Array(row.utf8)) ?? .null, in: nil, of: "awesomeTracking")
        return sighting
    }

    @Test func `each value has its key, even in lists and objects`() {
        let parameters =
            #"{"order_id":"DL-2041","paid":true,"items":[{"price":180.0},{"price":9.5}],"tags":["a","b"],"x":null}"#

        let lines = SearchText([Self.sighting("awesomeTracking", id: "e1", parameters)]).lines

        let expected = [
            "id:e1", "user:u-1", "order_id:DL-2041", "paid:true", "price:180", "price:9.5", "tags:a", "tags:b",
            "x:null",
            "event_id:e1", "user_id:u-1",
        ]
        #expect(Set(lines) == Set(expected) && lines.count == expected.count)
    }

    @Test func `a line appears once, and a line break in a value does not end it`() {
        let twice = ["e1", "e2"].map { Self.sighting("awesomeTracking", id: $0, #"{"note":"one\nname:two"}"#) }

        let lines = SearchText(twice).lines

        #expect(lines.filter { $0.hasPrefix("note") } == ["note:one name:two"])
    }

    @Test func `findings are searched by severity, code, path and text`() {
        var sighting = Sighting(service: "firebase", id: "", name: "a", time: 0)
        sighting.wireFindings = [
            Finding(severity: .error, source: .ga4, code: "VALUE_REQUIRED", path: "params.items", text: "No items.")
        ]

        #expect(SearchText([sighting]).lines == ["finding:error VALUE_REQUIRED params.items No items."])
    }

    @Test func `own parameters and defaults are searched before anything arrives`() throws {
        var sighting = Sighting(service: "firebase", id: "e1", name: "a", time: 0)
        let line =
            #"{"kind":"event","lane":"XY/firebase","id":"e1","own":"{\"a\":1}","defaults":"{\"b\":2}","session":"s-1"}"#
        let value = try #require(CollectedValue(Array(line.utf8)))
        guard case .event(_, let event)? = SenderReport(value) else { return #expect(Bool(false)) }
        sighting.report = event

        #expect(SearchText([sighting]).lines == ["id:e1", "session:s-1", "a:1", "b:2"])
    }
}
