import CoreTracker
import EventDelivery
import Foundation
import Testing

@testable import WebBridge

@Suite(.timeLimit(.minutes(5))) struct GuestPlanTests {
    @Test func `each schema of this repository's tracking plan can be used`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Scripts/plan")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasSuffix(".schema.json") }

        let plans = try files.map { try GuestPlan(schema: Array(Data(contentsOf: $0))) }

        #expect(plans.count > 5)
    }

    @Test(
        arguments: [
            (#"{"page":"a"}"#, ["page": "a"]), (#"{"page":"","count":-7}"#, ["page": "", "count": -7]),
            (#"{"count":1.0,"page":"a"}"#, ["count": 1, "page": "a"]),
            (#"{"page":"a","count":2e2}"#, ["page": "a", "count": 200]),
            (#"{"page":"a","count":9223372036854775807}"#, ["page": "a", "count": .int(.max)]),
            (#"{"page":"a","price":3}"#, ["page": "a", "price": 3.0]),
            (#"{"page":"a","price":-0}"#, ["page": "a", "price": .double(-0.0)]),
            (#"{"page":"a","price":12345678901234567890}"#, ["page": "a", "price": 12_345_678_901_234_567_890.0]),
            (#"{"page":"a","isNew":false}"#, ["page": "a", "isNew": false]),
            (#"{"page":"a","gone":null}"#, ["page": "a"]),
            (#"{"page":"a","either":1}"#, ["page": "a", "either": 1]),
            (#"{"page":"a","either":"1"}"#, ["page": "a", "either": "1"]),
            (#"{"page":"a","empty":[]}"#, ["page": "a", "empty": []]),
            (#"{"page":"a","items":[]}"#, ["page": "a", "items": []]),
            (
                #" { "page" : "a" , "items" : [ { "id" : "7" , "tags" : [ "x" , "y" ] } ] } "#,
                ["page": "a", "items": [["id": "7", "tags": ["x", "y"]]]]
            ),
            (#"{"page":"\ud83d\ude00 \u0000 \"\\\/\b\f\n\r\t"}"#, ["page": "\u{1F600} \u{0} \"\\/\u{8}\u{C}\n\r\t"]),
            (#"{"page":"a\ud83d"}"#, ["page": "a\u{FFFD}"]), (#"{"page":"\ude00a"}"#, ["page": "\u{FFFD}a"]),
            (#"{"page":"\ud83dA\ud83d\ud83d\ude00"}"#, ["page": "\u{FFFD}A\u{FFFD}\u{1F600}"]),
        ] as [(String, EventParameters)]
    )
    func `parameters of the plan are tracked with the plan's kinds`(
        json: String,
        parameters: EventParameters
    ) async throws {
        let scene = try await GuestScene()

        #expect(await scene.opened(json) == parameters)
    }

    @Test(arguments: [
        "{}", #"{"page":1}"#, #"{"page":null}"#, #"{"page":["a"]}"#, #"{"page":{"a":"a"}}"#, #"{"count":1}"#,
        #"{"page":"a","other":1}"#, #"{"page":"a","__proto__":{"count":1}}"#, #"{"page":"a","constructor":"a"}"#,
        #"{"page":"a","toString":"a"}"#, #"{"page":"a","count":1.5}"#, #"{"page":"a","count":"1"}"#,
        #"{"page":"a","count":true}"#, #"{"page":"a","count":9223372036854775808}"#, #"{"page":"a","count":1e300}"#,
        #"{"page":"a","price":1e999}"#, #"{"page":"a","price":-1e999}"#, #"{"page":"a","price":"NaN"}"#,
        #"{"page":"a","price":null}"#, #"{"page":"a","isNew":1}"#, #"{"page":"a","isNew":"true"}"#,
        #"{"page":"a","gone":0}"#, #"{"page":"a","either":1.5}"#, #"{"page":"a","empty":[1]}"#,
        #"{"page":"a","items":{}}"#, #"{"page":"a","items":[7]}"#, #"{"page":"a","items":[{}]}"#,
        #"{"page":"a","items":[{"id":"7","x":1}]}"#, #"{"page":"a","items":[[]]}"#, #"{"page":"a","items":[null]}"#,
        #"{"page\u0000":"a"}"#, #"{"Page":"a"}"#, #"{"page":"a","\ud800":1}"#,
    ])
    func `other parameters are not in the plan`(json: String) async throws {
        let scene = try await GuestScene()

        #expect(scene.receive(GuestScene.message(json)) == .notInPlan)
        #expect(await scene.ledger()?.dropped == [.notInPlan: 1])
    }

    @Test func `a key is spelt as in the plan, however the page composes its letters`() async throws {
        let scene = try await GuestScene()

        let parameters = await scene.opened("{\"page\":\"a\",\"e\u{301}\":\"x\"}")

        #expect(parameters.map { Array($0.map(\.name)[1].utf8) } == Array("\u{e9}".utf8))
    }

    @Test func `a text with fixed values is one of them, and a default is only a note`() throws {
        let key = #"{"type": "string", "enum": ["x", ""], "default": "x"}"#
        let schema = GuestScene.schema(parameters: #"{"type": "object", "properties": {"a": \#(key)}}"#)
        let plan = try GuestPlan(schema: Array(schema.utf8))

        for (parameters, fits) in [(#"{"a":"x"}"#, true), (#"{"a":""}"#, true), (#"{"a":"y"}"#, false), ("{}", true)] {
            let message = try JSONTree(Array(GuestScene.message(parameters).utf8), depth: 9)
            #expect((plan.event(message) != nil) == fits)
        }
    }

    @Test(arguments: [
        ("1", true), ("1.0", true), ("1.5", false), ("9223372036854775807", true), ("9223372036854775808", false),
        ("-9223372036854775808", true), ("-9223372036854775809", false), ("1e400", false),
    ])
    func `an integer is a whole number in the range of Int`(number: String, fits: Bool) throws {
        let parameters = #"{"type": "object", "properties": {"a": {"type": "integer"}}}"#
        let plan = try GuestPlan(schema: Array(GuestScene.schema(parameters: parameters).utf8))
        let message = try JSONTree(Array(GuestScene.message(#"{"a":\#(number)}"#).utf8), depth: 9)

        #expect((plan.event(message) != nil) == fits)
    }

    @Test func `an event in two forms fits if one of them does`() throws {
        func form(_ key: String) -> String {
            "{\"type\": \"object\", \"required\": [\"\(key)\"], \"properties\": {\"\(key)\": {\"type\": \"string\"}}}"
        }
        let (one, other) = (GuestScene.schema(parameters: form("a")), form("b"))
        let two = one.replacing(#""firebase""#, with: #""awesomeTracking""#).replacing("tapped", with: "opened")
            .replacing(#"{"type": "object", "properties": {}}"#, with: other)
        let plan = try GuestPlan(schema: Array(two.utf8))

        for (parameters, fits) in [(#"{"a":""}"#, true), (#"{"b":""}"#, true), (#"{"a":"","b":""}"#, false)] {
            let message = try JSONTree(Array(GuestScene.message(parameters).utf8), depth: 9)
            #expect((plan.event(message) != nil) == fits)
        }
    }

    @Test(arguments: [
        ("minLength", #"{"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}}"#),
        ("pattern", #"{"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}"#),
        (
            "maximum",
            #"{"type": "object", "properties": {"a": {"type": "array", "items": {"type": "number", "maximum": 1}}}}"#
        ),
        ("additionalProperties", #"{"type": "object", "additionalProperties": true}"#),
        ("anyOf", #"{"type": "object", "anyOf": []}"#), ("$ref", ##"{"$ref": "#/$defs/x"}"##),
        ("x-sensitive", #"{"type": "object", "properties": {"a": {"type": "string", "x-sensitive": "hash"}}}"#),
    ])
    func `a keyword that the bridge does not check is an error`(keyword: String, parameters: String) {
        let error = #expect(throws: WebBridgeError.self) {
            try GuestPlan(schema: Array(GuestScene.schema(parameters: parameters).utf8))
        }

        guard case .unsupportedKeyword(keyword, _) = error else {
            Issue.record("\(error.map(String.init(describing:)) ?? "")")
            return
        }
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"$schema": "http://json-schema.org/draft-07/schema#", "$defs": {}, "anyOf": []}"#,
        #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {}, "anyOf": []}"#,
        GuestScene.schema.replacing("#/$defs/opened", with: "#/$defs/missing"),
        GuestScene.schema.replacing("#/$defs/opened", with: "other.json"),
        GuestScene.schema.replacing("a%20~1~0tap", with: "a%2"),
        GuestScene.schema.replacing(#""const": "opened""#, with: #""const": 1"#),
        GuestScene.schema.replacing(#"["service", "name", "parameters"]"#, with: #"["name"]"#),
        GuestScene.schema.replacing(#"["page"]"#, with: #"["nothing"]"#),
        GuestScene.schema.replacing(#"["page"]"#, with: "[1]"),
        GuestScene.schema.replacing(#""integer""#, with: #""int""#),
        GuestScene.schema.replacing(#"{"type": "boolean"}"#, with: "{}"),
        GuestScene.schema.replacing(#"{"type": "boolean"}"#, with: "true"),
        String(repeating: "[", count: 100_000),
    ])
    func `a schema in another form is an error, and nothing traps`(schema: String) {
        let error = #expect(throws: WebBridgeError.self) { try GuestPlan(schema: Array(schema.utf8)) }

        guard case .malformedSchema = error else {
            Issue.record("\(error.map(String.init(describing:)) ?? "")")
            return
        }
    }
}

@Suite struct JSONTreeTests {
    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "{]", "[}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "[1,]", "[,1]", "[1 2]",
        "{a:1}",
        "{'a':1}", "{\"a\":1 \"b\":2}", "{\"a\":1,\"\\u0061\":2}", "01", "-", "-01", "+1", "1.", ".5", "1e", "1e+",
        "0x1",
        "1_000", "NaN", "Infinity", "-Infinity", "nul", "nulll", "True", "\"", "\"\\\"", "\"\\x41\"", "\"\\u12\"",
        "\"\\u 123\"", "\"\\u+123\"", "\"\n\"", "\"\u{0}\"", "\u{FEFF}1", "\u{A0}1", "//\n1", "1//", "1;",
        "\"\\ud83d\\u12\"",
    ])
    func `text that is not JSON is refused`(text: String) {
        #expect(throws: JSONTree.Fault.malformed) { try JSONTree(Array(text.utf8), depth: 64) }
    }

    @Test func `each start of a text is refused, and each change of a bit is read or refused`() throws {
        let text = Array(#"{"t":"ü\u00e9\ud83d\ude00","l":[1,-2.5e3,true,null,{"x":"y"}]}"#.utf8)

        for count in text.indices {
            #expect(throws: JSONTree.Fault.self) { try JSONTree(Array(text[..<count]), depth: 9) }
        }
        for (index, bit) in text.indices.flatMap({ index in (0..<8).map { (index, $0) } }) {
            var changed = text
            changed[index] ^= 1 << bit
            _ = try? JSONTree(changed, depth: 9)
        }
        _ = try JSONTree(text, depth: 3)
        #expect(throws: JSONTree.Fault.tooDeep) { try JSONTree(text, depth: 2) }
    }
}
