import CoreTracker
import EventDelivery
import Foundation
import Testing
import VendorRules

@testable import FirebaseTracking

@Suite struct EventRulesAppStreamTests {
    @Test(arguments: [(1, 1, 0), (199, 199, 0), (200, 200, 0), (201, 200, 1), (1_000, 200, 1)])
    func `an event has at most 200 items`(count: Int, kept: Int, adjustments: Int) throws {
        let items = (0..<count).map { ParameterValue.object(["item_id": .string("I\($0)")]) }

        let (text, counted) = try encoded(.array(items))

        #expect(text.components(separatedBy: "item_id").count - 1 == kept)
        #expect(counted == (adjustments == 0 ? [:] : ["too_many_elements": adjustments]))
    }

    @Test(arguments: [(9, 0), (10, 0), (11, 1), (30, 20)])
    func `an item has at most ten custom parameters beside Google's`(count: Int, adjustments: Int) throws {
        var item = EventParameters(EventRules.appStream.itemKeys.map { (ParameterKey($0), .string("x")) })
        for index in 0..<count { item[ParameterKey("custom\(index)")] = .int(index) }

        let (text, counted) = try encoded([.object(item)])

        #expect(text.components(separatedBy: "custom").count - 1 == min(count, 10))
        #expect(text.components(separatedBy: #":"x""#).count - 1 == 23)
        #expect(counted == (adjustments == 0 ? [:] : ["too_many_element_keys": adjustments]))
    }

    @Test func `an item without an ID and a name is left out, and so is any other value`() throws {
        let (text, counted) = try encoded([
            ["item_id": "A"], ["price": 1], ["item_id": ""], "text", 7, ["item_name": "B"], ["item_id": .double(.nan)],
        ])

        #expect(text.contains(#""items":[{"item_id":"A"},{"item_name":"B"}],"session_id""#))
        #expect(counted == ["item_invalid": 5, "value_not_finite": 1])
    }

    @Test(arguments: [[], [["price": 1]], "text", 7, ["a": 1]] as [ParameterValue])
    func `items without an item are left out`(items: ParameterValue) throws {
        let (text, counted) = try encoded(items)

        #expect(!text.contains("items"))
        #expect(text.contains(#"5b01","session_id""#))
        #expect(counted["items_empty"] == 1)
    }

    @Test func `an item's parameters keep the rules of parameters`() throws {
        let long = String(repeating: "x", count: 101)
        let (text, counted) = try encoded([
            [
                "item_id": "A", "item_name": .string(long), "in_stock": true, "bad-key": 1, "ga_x": 1,
                "tags": ["a"], "sub": ["a": 1], "price": .double(.infinity), "maker_id": .string(long), "event_id": "e",
            ]
        ])

        #expect(text.contains(#"{"item_id":"A","item_name":"\#(long.dropLast())","in_stock":1,"event_id":"e"}"#))
        #expect(
            counted == [
                "value_too_long": 1, "key_invalid": 1, "key_reserved": 1, "value_nested": 2, "value_not_finite": 1,
                "identifier_too_long": 1,
            ]
        )
    }

    @Test func `items take one place among the parameters`() throws {
        var parameters = EventParameters((0..<21).map { (ParameterKey("p\($0)"), .int($0)) })
        parameters["items"] = [["item_id": "A", "item_name": "B", "price": 1]]

        let (values, adjustments) = try FirebaseDestination.stub().parameters(
            of: .stub(parameters: parameters)
        )

        #expect(values.count == 25)
        #expect(adjustments.isEmpty)
    }

    private func encoded(_ items: ParameterValue) throws -> (text: String, adjustments: [String: Int]) {
        try FirebaseDestination.stub().encoded(.stub(name: "purchase", parameters: ["items": items]))
    }
}

extension EventRules {
    /// The keys of an item that Google defines.
    fileprivate var itemKeys: [String] {
        if case .lists(let lists) = nesting { lists["items"]?.knownKeys.sorted() ?? [] } else { [] }
    }
}
