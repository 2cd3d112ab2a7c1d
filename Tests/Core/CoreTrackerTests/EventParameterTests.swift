import CoreTracker
import Testing

@Suite struct EventParameterTests {
    @Test func `a declared name writes typed values unchanged`() {
        let parameters: EventParameters = [
            .listID("shoes"), .position(3), .price(2.5), .isNew(true), .kind(.wide), .tags(["a", "b"]),
            .line([.position(1)]), .free(["x": [1, 2]]),
        ]

        #expect(
            parameters == [
                "list_id": "shoes", "position": 3, "price": 2.5, "is_new": true, "kind": "wide", "tags": ["a", "b"],
                "line": ["position": 1], "free": ["x": [1, 2]],
            ]
        )
    }

    @Test func `a parameter with a nil value is left out at every position`() {
        let (listID, position): (String?, Int?) = (nil, 3)

        let parameters: EventParameters = [.listID(listID), .position(position), .listID("b"), .listID(listID)]

        #expect(parameters == ["position": 3, "list_id": "b"])
        #expect(([.listID(nil)] as EventParameters).isEmpty)
    }

    @Test func `if a name repeats, its last value takes the position of the first`() {
        let parameters: EventParameters = [.position(1), .listID("a"), .position(2)]

        #expect(parameters == ["position": 2, "list_id": "a"])
    }

    @Test func `an undeclared name can be used, too`() {
        let none: String? = nil

        #expect([EventParameter("a", 1), EventParameter("b", none)] as EventParameters == ["a": 1])
    }
}

private enum Kind: String, ParameterRepresentable {
    case wide
}

extension EventParameter {
    fileprivate static let listID = Key<String>("list_id")
    fileprivate static let position = Key<Int>("position")
    fileprivate static let price = Key<Double>("price")
    fileprivate static let isNew = Key<Bool>("is_new")
    fileprivate static let kind = Key<Kind>("kind")
    fileprivate static let tags = Key<[String]>("tags")
    fileprivate static let line = Key<EventParameters>("line")
    fileprivate static let free = Key<ParameterValue>("free")
}
