import CoreTracker
import Foundation
import Testing

@Suite struct EventParametersTests {
    @Test func `parameters keep the order in which they were written`() {
        let parameters: EventParameters = ["b": 1, "a": "x", "c": 2.5]

        #expect(parameters.map(\.key.name) == ["b", "a", "c"])
        #expect(parameters["a"] == "x")
    }

    @Test func `if a key repeats, its last value takes the position of the first`() {
        let parameters: EventParameters = ["a": 1, "b": true, "a": 3]

        #expect(parameters == ["a": 3, "b": true])
        #expect(parameters.count == 2)
    }

    @Test func `a merged parameter takes the other value and keeps its position`() {
        let merged = (["currency": "TRY", "channel": "web"] as EventParameters).merging(["channel": "app", "id": 7])

        #expect(merged.map(\.key.name) == ["currency", "channel", "id"])
        #expect(merged["channel"] == "app")
    }

    @Test func `setting nil removes a parameter`() {
        var parameters: EventParameters = ["a": 1, "b": 2]

        parameters["a"] = nil
        parameters["missing"] = nil

        #expect(parameters == ["b": 2])
    }

    @Test(arguments: [1_023, 1_024, 1_025, 20_000])
    func `building a set takes linear time, and keys beyond the maximum are recorded as excess`(
        count: Int
    ) {
        let pairs = (0..<count).map { (ParameterKey("key\($0)"), ParameterValue.int($0)) }
        let start = processorTime

        let built = EventParameters(pairs)
        let written = EventParameters(pairs.reversed())
        var assigned = EventParameters()
        for (key, value) in pairs { assigned[key] = value }
        let merged = built.merging(written)

        #expect(built.count == min(count, EventParameters.maximumCount))
        #expect(built == assigned)
        #expect([built, assigned, written, merged].allSatisfy { ($0.excess == .tooMany) == (count > 1_024) })
        // A debug build takes 4 s. Comparing every pair of keys would take a minute.
        #expect(processorTime - start < .seconds(30))
    }

    @Test func `the size in memory is correct after each change`() {
        let text = String(repeating: "x", count: 1_000)
        var parameters: EventParameters = ["a": .string(text), "b": [.string(text), ["c": .string(text)]]]
        let whole = parameters.byteCount

        parameters["a"] = "short"
        let shortened = parameters.byteCount
        parameters["b"] = nil
        let flat = parameters.byteCount
        let merged = parameters.merging(["a": .string(text), "d": 1])
        parameters["a"] = nil

        #expect(whole >= 3_000 && whole < 4_000)
        #expect(shortened == whole - 995)
        #expect(flat < 200)
        #expect(merged.byteCount == EventParameters([("a", .string(text)), ("d", 1)]).byteCount)
        #expect(parameters.byteCount == 0)
    }

    @Test func `the size in memory does not depend on how the parameters were built`() {
        let text = String(repeating: "x", count: 100)
        let set: EventParameters = ["a": .string(text), "caf\u{E9}": 1, "list": [1, .string(text)], "o": ["k": 2.5]]
        let others: EventParameters = ["a": 1, "cafe\u{301}": .string(text), "new": true]

        var assigned = EventParameters()
        for element in set { assigned[element.key] = element.value }
        let merged = set.merging(others)
        var overlaid = set
        for element in others { overlaid[element.key] = element.value }

        #expect(assigned.byteCount == set.byteCount)
        #expect(merged == overlaid)
        #expect(merged.byteCount == overlaid.byteCount)
        #expect(merged.byteCount == EventParameters(merged.map { ($0.key, $0.value) }).byteCount)
        #expect(set.merging([]).byteCount == set.byteCount)
    }

    @Test func `each value of a list adds to the size, and the sum cannot overflow`() {
        let numbers: EventParameters = ["n": .array(Array(repeating: .int(1), count: 100_000))]
        let shared = (0..<60).reduce(ParameterValue.string("text")) { value, _ in .array([value, value, value]) }
        var endless: EventParameters = ["a": shared, "b": shared]

        endless["c"] = 1

        #expect(numbers.byteCount >= 800_000)
        #expect(endless.byteCount == .max)
    }

    @Test func `a parameter's value is one byte larger than a string`() {
        // Each event moves a dozen of these values. A nested set must not enlarge them.
        #expect(MemoryLayout<EventParameters>.size == 2 * MemoryLayout<Int>.size)
        #expect(MemoryLayout<ParameterValue>.size == MemoryLayout<String>.size + 1)
        #expect(MemoryLayout<EventParameter>.stride == 5 * MemoryLayout<Int>.size)
    }

    /// The processor time of this thread, which other processes on the machine do not affect.
    private var processorTime: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

@Suite struct EventParametersDictionaryTests {
    @Test func `each value has a plain form, and a number that is not finite is left out`() throws {
        let parameters: EventParameters = [
            "text": "a", "int": 7, "double": 1.5, "yes": true, "nan": .double(.nan), "items": [["id": 1], "x"],
        ]

        let values = parameters.dictionary
        let items = try #require(values["items"] as? [any Sendable])

        #expect(values["text"] as? String == "a")
        #expect(values["int"] as? Int == 7)
        #expect(values["double"] as? Double == 1.5)
        #expect(values["yes"] as? Int == 1)
        #expect((items.first as? [String: any Sendable])?["id"] as? Int == 1)
        #expect(items.last as? String == "x")
        #expect(values.count == 5)
    }

    @Test func `a sensitive value is left out`() {
        let parameters: EventParameters = .sensitive(
            Sensitive("ali@example.com"),
            as: "mail",
            policy: .pass(.analytics)
        )

        #expect(parameters.dictionary.isEmpty)
    }

    @Test func `nested objects keep their depth`() {
        var value: ParameterValue = 1
        for _ in 0..<20 { value = .object(["k": value]) }

        var nested: (any Sendable)? = (["k": value] as EventParameters).dictionary["k"]
        var depth = 0
        while let next = nested as? [String: any Sendable] {
            depth += 1
            nested = next["k"]
        }

        #expect(depth == 20 && nested as? Int == 1)
    }
}
