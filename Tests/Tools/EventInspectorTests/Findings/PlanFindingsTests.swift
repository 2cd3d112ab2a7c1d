import LoopbackCollector
import Testing

@testable import EventInspector

@Suite struct PlanFindingsTests {
    private static let schema = value(
        #"""
        {"type":"object","required":["id","items"],"properties":{"id":{"type":"string"},"paid":{"type":"boolean"},
        "sum":{"type":["number","null"]},"items":{"type":"array","items":{"type":"object","required":["price"],
        "properties":{"price":{"type":"number"}}}}}}
        """#
    )

    private static func value(_ text: String) -> CollectedValue { CollectedValue(Array(text.utf8)) ?? .null }

    private func codes(_ text: String, own: Set<String> = ["id", "items", "else", "paid"]) -> [String] {
        PlanFindings.findings(in: Self.value(text), schema: Self.schema, ownKeys: own).map { "\($0.code) \($0.path)" }
    }

    @Test(arguments: [
        (#"{"id":"1","items":[]}"#, []),
        (#"{"id":"1","items":[{"price":1}],"sum":2.5,"paid":true}"#, []),
        (#"{"id":"1","items":[],"sum":null}"#, []),
        (#"{"items":[]}"#, ["missing id"]),
        (#"{"id":1,"items":[{"price":"1"},{}]}"#, ["type id", "type items[0].price", "missing items[1].price"]),
        (#"{"id":"1","items":[],"else":1}"#, ["unplanned_key else"]),
        (#"{"id":"1","items":[{"price":1,"else":1}],"paid":7}"#, ["unplanned_key items[0].else", "type paid"]),
        (#"[]"#, ["type "]),
    ]) func `an event's parameters are compared with the schema`(parameters: String, found: [String]) {
        #expect(codes(parameters) == found)
    }

    @Test func `a default may be missing in the plan, and may satisfy a required key`() {
        #expect(codes(#"{"id":"1","items":[],"channel":"a","paid":1}"#, own: ["items"]).isEmpty)
        #expect(codes(#"{"items":[],"else":{}}"#, own: []) == ["missing id"])
    }
}
