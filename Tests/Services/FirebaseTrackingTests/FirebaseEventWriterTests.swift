import CoreTracker
import EventDelivery
import Testing
import VendorRules

@testable import FirebaseTracking

@Suite struct FirebaseEventWriterTests {
    @Test(arguments: [
        (1, nil), (39, nil), (40, nil), (41, "name_too_long"), (0, "name_empty"),
    ])
    func `an event's name has 1 to 40 characters`(length: Int, rule: String?) throws {
        let event = OutgoingEvent.stub(name: String(repeating: "n", count: length))

        let violated = try FirebaseDestination.stub().violatedRule(by: event)

        #expect(violated == rule)
    }

    @Test(arguments: [
        ("view-item", "name_invalid"), ("1view", "name_invalid"), ("geklickt_ö", "name_invalid"),
        ("a b", "name_invalid"), ("a\u{0}", "name_invalid"), ("_x", "name_invalid"), ("Play_Start2", nil),
        ("firebase_x", "name_reserved"), ("ga_x", "name_reserved"), ("google_x", "name_reserved"),
        ("gadget", nil), ("googly", nil), ("FIREBASE_x", nil), ("screen_view", nil), ("ad_impression", nil),
    ])
    func `an event's name is of letters, digits and underscores, and without Google's prefixes`(
        name: String,
        rule: String?
    ) throws {
        let violated = try FirebaseDestination.stub().violatedRule(by: .stub(name: name))

        #expect(violated == rule)
    }

    @Test(arguments: EventRules.appStream.name.reserved.sorted())
    func `Google's own event names are refused`(name: String) throws {
        let violated = try FirebaseDestination.stub().violatedRule(by: .stub(name: name))

        #expect(violated == "name_reserved")
    }

    @Test(arguments: [
        ("k", nil), (String(repeating: "k", count: 40), nil), (String(repeating: "k", count: 41), "key_too_long"),
        ("", "key_empty"), ("a-b", "key_invalid"), ("9a", "key_invalid"), ("gtag.x", "key_invalid"),
        ("firebase_conversion", "key_reserved"), ("ga_x", "key_reserved"), ("event_id", "key_reserved"),
        ("app_session", "key_reserved"), ("event_ids", nil), ("gift", nil),
    ])
    func `a parameter with a bad key is left out and counted`(key: String, rule: String?) throws {
        let event = OutgoingEvent.stub(parameters: [ParameterKey(key): "own", "other": 1])

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect((values[key] == "own") == (rule == nil))
        #expect(values["other"] == "1")
        #expect(adjustments == (rule.map { [$0: 1] } ?? [:]))
    }

    @Test(arguments: [(99, 99, 0), (100, 100, 0), (101, 100, 1), (70_000, 100, 1)])
    func `a text has at most 100 characters and is cut there`(length: Int, kept: Int, adjustments: Int) throws {
        let event = OutgoingEvent.stub(parameters: ["title": .string(String(repeating: "x", count: length))])

        let parameters = try FirebaseDestination.stub().parameters(of: event)

        #expect(parameters.values["title"]?.count == kept)
        #expect(parameters.adjustments["value_too_long", default: 0] == adjustments)
    }

    @Test(arguments: [(500, 500, 0), (501, 500, 1)])
    func `a text of an Analytics 360 property has at most 500 characters`(length: Int, kept: Int, adjustments: Int)
        throws
    {
        let event = OutgoingEvent.stub(parameters: ["title": .string(String(repeating: "x", count: length))])
        let destination = try FirebaseDestination.stub(.stub(rules: EventRules.appStream360))

        let parameters = try destination.parameters(of: event)

        #expect(parameters.values["title"]?.count == kept)
        #expect(parameters.adjustments["value_too_long", default: 0] == adjustments)
    }

    @Test(arguments: [("page_title", 300), ("page_referrer", 420), ("page_location", 1000)])
    func `some texts may be longer`(key: String, limit: Int) throws {
        let fits = OutgoingEvent.stub(parameters: [ParameterKey(key): .string(String(repeating: "x", count: limit))])
        let long = OutgoingEvent.stub(
            parameters: [ParameterKey(key): .string(String(repeating: "x", count: limit + 1))])
        let destination = try FirebaseDestination.stub()

        let values = try [fits, long].map { try destination.parameters(of: $0) }

        #expect(values.map { $0.values[key]?.count } == [limit, limit])
        #expect(values.map { $0.adjustments["value_too_long"] } == [nil, 1])
    }

    @Test(arguments: [
        // 50 surrogate pairs are 100 UTF-16 units. A family emoji of seven scalars is 11 units and is not split.
        (String(repeating: "😀", count: 50), String(repeating: "😀", count: 50)),
        (String(repeating: "😀", count: 51), String(repeating: "😀", count: 50)),
        (String(repeating: "👩‍👩‍👧‍👦", count: 10), String(repeating: "👩‍👩‍👧‍👦", count: 9)),
        (String(repeating: "é", count: 100), String(repeating: "é", count: 100)),
        ("x" + String(repeating: "e\u{301}", count: 50), "x" + String(repeating: "e\u{301}", count: 49)),
    ])
    func `a text is measured in UTF-16 units and cut between characters`(text: String, sent: String) throws {
        let event = OutgoingEvent.stub(parameters: ["title": .string(text)])

        let values = try FirebaseDestination.stub().parameters(of: event).values

        #expect(values["title"] == sent)
    }

    @Test func `an identifier that is too long is left out and not cut`() throws {
        let long = ParameterValue.string(String(repeating: "x", count: 101))
        let event = OutgoingEvent.stub(parameters: ["basket_id": long, "title": long])

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["basket_id"] == nil)
        #expect(adjustments == ["identifier_too_long": 1, "value_too_long": 1])
    }

    @Test(arguments: [(21, 22, 0), (22, 22, 0), (23, 22, 1), (40, 22, 18)])
    func `an event has 22 places beside the automatic three`(count: Int, kept: Int, adjustments: Int) throws {
        let event = OutgoingEvent.stub(
            parameters: EventParameters((0..<count).map { (ParameterKey("p\($0)"), .int($0)) })
        )

        let parameters = try FirebaseDestination.stub().parameters(of: event)

        #expect(parameters.values.count == min(count, kept) + 3)
        #expect(parameters.adjustments["too_many_parameters", default: 0] == adjustments)
    }

    @Test func `if there are too many parameters, the last defaults are left out first`() throws {
        let event = OutgoingEvent.stub(
            parameters: EventParameters((0..<21).map { (ParameterKey("own\($0)"), .int($0)) }),
            defaults: ["own0": "default", "first": 1, "second": 2]
        )

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["own0"] == "0")
        #expect(values["own20"] == "20")
        #expect(values["first"] == "1")
        #expect(values["second"] == nil)
        #expect(adjustments == ["too_many_parameters": 1])
    }

    @Test func `a parameter that is left out takes no place`() throws {
        var parameters = EventParameters((0..<22).map { (ParameterKey("p\($0)"), .double(.nan)) })
        for index in 0..<22 { parameters[ParameterKey("q\(index)")] = .int(index) }

        let (values, adjustments) = try FirebaseDestination.stub().parameters(
            of: .stub(parameters: parameters)
        )

        #expect(values.count == 25)
        #expect(adjustments == ["value_not_finite": 22])
    }

    @Test func `Booleans are numbers, integers are exact, and numbers that are not finite are left out`() throws {
        let event = OutgoingEvent.stub(parameters: [
            "yes": true, "no": false, "big": .int(.max), "small": .int(.min), "ratio": -0.5, "nan": .double(.nan),
            "up": .double(.infinity), "down": .double(-.infinity),
        ])

        let (text, adjustments) = try FirebaseDestination.stub().encoded(event)

        let own = #""yes":1,"no":0,"big":9223372036854775807,"small":-9223372036854775808,"ratio":-0.5,"session_id""#
        #expect(text.contains(own))
        #expect(adjustments == ["value_not_finite": 3])
    }

    @Test func `lists and objects are accepted under items only`() throws {
        let event = OutgoingEvent.stub(parameters: ["list": [1], "object": ["a": 1], "kept": "x"])

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["list"] == nil && values["object"] == nil && values["kept"] == "x")
        #expect(adjustments == ["value_nested": 2])
    }

    @Test(arguments: [("", nil, 1), ("T-1", "T-1", 0)] as [(String, String?, Int)])
    func `an empty transaction id is left out`(id: String, sent: String?, adjustments: Int) throws {
        let event = OutgoingEvent.stub(parameters: ["transaction_id": .string(id), "empty": ""])

        let parameters = try FirebaseDestination.stub().parameters(of: event)

        #expect(parameters.values["transaction_id"] == sent)
        #expect(parameters.values["empty"]?.isEmpty == true)
        #expect(parameters.adjustments["transaction_id_empty", default: 0] == adjustments)
    }
}
