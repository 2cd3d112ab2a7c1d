import CoreTracker
import EventDelivery
import Foundation
import Testing

@Suite struct EventParametersFoundationTests {
    @Test func `each value has its Foundation object, and what has none is left out`() {
        let parameters: EventParameters = [
            "text": "a", "int": 7, "double": 1.5, "yes": true, "nan": .double(.nan), "items": [["id": 1], "x"],
        ]

        let objects = parameters.foundationObjects

        #expect(objects["text"] as? NSString == "a")
        #expect(objects["int"] as? NSNumber == 7)
        #expect(objects["double"] as? NSNumber == 1.5)
        #expect(objects["yes"] as? NSNumber == 1)
        #expect(objects["items"] as? NSArray == [["id": 1] as NSDictionary, "x" as NSString])
        #expect(objects.count == 5)
    }

    @Test func `what nests without an end stops at the writer's depth`() {
        var value: ParameterValue = 1
        for _ in 0..<100 { value = .object(["k": value]) }

        var object: NSObject? = (["k": value] as EventParameters).foundationObjects["k"]
        var depth = 0
        while let next = object as? NSDictionary {
            depth += 1
            object = next["k"] as? NSObject
        }

        #expect(depth == JSONWriter.maximumDepth)
    }
}
