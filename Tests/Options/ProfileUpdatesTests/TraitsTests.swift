import CoreTracker
import ProfileUpdates
import Testing

@Suite struct TraitsTests {
    @Test func `a removed trait does not keep its earlier value when merged, and a set one is not removed`() {
        let removed = Traits(["plan": "gold", "city": "Łódź"]).merging(["plan": nil])
        let again = removed.merging(["plan": "free"])

        #expect(removed.values == ["city": "Łódź"] && removed.removed == ["plan"])
        #expect(again.values == ["city": "Łódź", "plan": "free"] && again.removed.isEmpty)
    }

    @Test func `the last value of a repeated name counts`() {
        let traits: Traits = ["plan": "gold", "plan": nil, "city": nil, "city": "Łódź"]

        #expect(traits.values == ["city": "Łódź"] && traits.removed == ["plan"])
    }

    @Test func `an operation has its wire form, and the last entry of a name counts`() {
        let traits: Traits = [
            "a": .setOnce("web"), "b": .increment(), "c": .append("x", 1), "d": .remove(), "e": .increment(by: -2),
            "e": 1,
        ]

        #expect(
            traits.merging(["b": .increment(by: 2)]).values == [
                "a": ["$setOnce": "web"], "b": ["$increment": 2], "c": ["$append": ["x", 1]], "d": ["$remove": []],
                "e": 1,
            ]
        )
    }
}
