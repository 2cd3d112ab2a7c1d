import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing
import VendorRules

@Suite struct EventRulesTests {
    private let rules = EventRules(
        name: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: ["error"],
            reservedPrefixes: ["ga_"]
        ),
        key: NameRule(
            maximumLength: 8,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: ["time"],
            reservedPrefixes: ["ga_"]
        ),
        maximumParameters: 4,
        maximumStringLength: 5,
        maximumStringLengths: ["title": 7],
        nonEmptyKeys: ["order"],
        nesting: .lists(["items": ListRule(maximumElements: 2, knownKeys: ["sku"], maximumOtherKeys: 1)]),
        sendsBooleansAsNumbers: true
    )

    @Test(
        arguments: [
            ("", "name_empty"), (String(repeating: "n", count: 41), "name_too_long"), ("1st", "name_invalid"),
            ("näme", "name_invalid"), ("a b", "name_invalid"), ("error", "name_reserved"), ("ga_x", "name_reserved"),
        ]
    )
    func `a name that breaks a rule is refused with the rule's name`(name: String, rule: String) {
        #expect(throws: EventEncodingError(rule: rule)) { try rules.check(name: name) }
    }

    @Test(arguments: ["e", "Error", "a_1", String(repeating: "n", count: 40)])
    func `a valid name is accepted`(name: String) {
        #expect(throws: Never.self) { try rules.check(name: name) }
    }

    @Test(
        arguments: [
            ("" as ParameterKey, "key_empty"), ("ninechars", "key_too_long"), ("a-b", "key_invalid"),
            ("time", "key_reserved"), ("ga_x", "key_reserved"),
        ]
    )
    func `a parameter with a bad key is left out`(key: ParameterKey, rule: String) {
        let (parameters, reports) = adjust([key: 1, "ok": 2])

        #expect(parameters == ["ok": 2])
        #expect(reports == [rule])
    }

    @Test(
        arguments: [
            ("12345", "12345", 0), ("123456", "12345", 1), ("ééééé", "ééééé", 0), ("1234😀", "1234", 1),
            ("123😀", "123😀", 0), ("123👩‍👩‍👧", "123", 1),
        ]
    )
    func `a text that is too long is cut at a character's end`(text: String, sent: String, adjustments: Int) {
        let (parameters, reports) = adjust(["text": .string(text)])

        #expect(parameters == ["text": .string(sent)])
        #expect(reports == Array(repeating: "value_too_long", count: adjustments))
    }

    @Test func `a key may have its own text length`() {
        #expect(adjust(["title": "12345678"]).0 == ["title": "1234567"])
    }

    @Test(arguments: [(3, 0), (4, 0), (5, 1), (7, 3)])
    func `of too many parameters the last ones are left out`(count: Int, adjustments: Int) {
        let all = EventParameters((0..<count).map { (ParameterKey("k\($0)"), .int($0)) })

        let (parameters, reports) = adjust(all)

        #expect(parameters.map(\.key) == Array(all.map(\.key).prefix(4)))
        #expect(reports == Array(repeating: "too_many_parameters", count: adjustments))
    }

    @Test func `defaults make room for the event's own parameters`() {
        let own: EventParameters = ["a": 1, "b": 2, "c": 3]
        let defaults: EventParameters = ["x": 7, "b": 8, "y": 9]

        #expect(adjust(own, over: defaults).0.map(\.key.name) == ["x", "b", "a", "c"])
        #expect(adjust(own, over: defaults, reservedSlots: 2).0.map(\.key.name) == ["b", "a"])
    }

    @Test func `values of other shapes are left out, and Booleans become numbers`() {
        let (parameters, reports) = adjust(["t": true, "inf": .double(.infinity), "list": [1], "o": ["a": 1]])

        #expect(parameters == ["t": 1])
        #expect(reports == ["value_not_finite", "value_nested", "value_nested"])
    }

    @Test func `a list of flat objects is held to its own limits`() {
        let items: ParameterValue = [["sku": "A", "x": 1, "y": 2], ["sku": ["deep"]], ["sku": "C"]]

        let (parameters, reports) = adjust(["items": items])

        #expect(parameters == ["items": [["sku": "A", "x": 1], [:]]])
        #expect(reports == ["too_many_element_keys", "value_nested", "too_many_elements"])
    }

    @Test(arguments: [("note_id", "identifier_too_long"), ("order", "order_empty")])
    func `a text that would mislead is left out`(key: ParameterKey, rule: String) {
        let text = rule == "order_empty" ? "" : "123456"

        let (parameters, reports) = adjust([key: .string(text), "empty": ""])

        #expect(parameters == ["empty": ""])
        #expect(reports == [rule])
    }

    @Test func `an element without an identifying key is left out, and so is an empty list`() {
        var rules = rules
        let list = ListRule(maximumElements: 2, knownKeys: ["sku"], maximumOtherKeys: 1, identifyingKeys: ["sku"])
        rules.nesting = .lists(["items": list, "empty": list])
        var reports: [String] = []

        let parameters = rules.adjust(
            ["items": [["x": 1], "text", ["sku": ""], ["sku": "A"], ["sku": "B"], ["sku": "C"]], "empty": 7]
        ) { reports.append($0) }

        #expect(parameters == ["items": [["sku": "A"], ["sku": "B"]]])
        #expect(reports == ["item_invalid", "item_invalid", "item_invalid", "too_many_elements", "empty_empty"])
    }

    @Test(
        arguments: [("7", true), (7, true), (0.5, true), ("07", false), (0, false), (true, false), ("", false)]
            as [(ParameterValue, Bool)]
    )
    func `an automatic parameter is a positive number, and takes none of the places`(
        value: ParameterValue,
        isKept: Bool
    ) {
        var rules = rules
        rules.automaticKeys = ["session"]
        var reports: [String] = []

        let parameters = rules.adjust(["a": 1, "b": 2, "c": 3, "session": value], reservedSlots: 1) {
            reports.append($0)
        }

        #expect(parameters["session"] == (isKept ? value : nil))
        #expect(parameters.count == (isKept ? 4 : 3))
        #expect(reports == (isKept ? [] : ["automatic_parameter_invalid"]))
    }

    @Test func `writing and returning an event's parameters gives equal results`() throws {
        let event = OutgoingEvent.stub(
            parameters: ["t": true, "ga_x": 1, "long": "123456", "items": [["sku": "A", "on": false]]],
            defaults: ["long": "default", "x": 1, "y": 2]
        )
        var encoder = EventEncoder()
        encoder.json.beginObject()

        let missing = rules.write(event, reservedSlots: 0, into: &encoder)
        encoder.json.endObject()

        let (parameters, reports) = adjust(event.parameters, over: event.defaults)
        #expect(missing.isEmpty)
        #expect(
            String(decoding: encoder.bytes, as: UTF8.self)
                == #"{"t":1,"long":"12345","items":[{"sku":"A","on":0}],"x":1}"#
        )
        #expect(parameters == ["long": "12345", "x": 1, "t": 1, "items": [["sku": "A", "on": 0]]])
        #expect(encoder.adjustments == Dictionary(reports.map { ($0, 1) }) { $0 + $1 })
    }

    @Test func `values nested too deeply are cut off at the writer's maximum depth`() {
        var free = rules
        free.nesting = .unrestricted
        var value: ParameterValue = 1
        for _ in 0..<100 { value = ["k": value] }

        var reports: [String] = []
        _ = free.adjust(["k": value]) { reports.append($0) }

        #expect(reports == ["value_too_deep"])
    }

    private func adjust(
        _ parameters: EventParameters,
        over defaults: EventParameters = [:],
        reservedSlots: Int = 0
    ) -> (EventParameters, [String]) {
        var reports: [String] = []
        let adjusted = rules.adjust(parameters, over: defaults, reservedSlots: reservedSlots) { reports.append($0) }
        return (adjusted, reports)
    }
}
