import CoreTracker
import Foundation
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

@Suite struct ParameterKeyTests {
    @Test(arguments: ["price", "", "a key of more than fifteen bytes"])
    func `keys with the same name are equal, however they were created`(name: String) {
        let key = ParameterKey(name)

        #expect(key == ParameterKey(String(name.reversed().reversed())))
        #expect(key != ParameterKey(name + "_"))
    }

    @Test func `canonically equivalent names are equal keys`() {
        let (composed, decomposed) = (ParameterKey("caf\u{E9}"), ParameterKey("cafe\u{301}"))
        let (kelvin, letter) = (ParameterKey("\u{212A}"), ParameterKey("K"))

        #expect(composed == decomposed && composed.hashValue == decomposed.hashValue)
        #expect(kelvin == letter && letter == kelvin && kelvin.hashValue == letter.hashValue)
        let parameters: EventParameters = [composed: 1, letter: 2, decomposed: 3, kelvin: 4]
        #expect(parameters.map(\.value) == [3, 4])
    }

    @Test func `among many keys each equal one is found`() {
        let pairs = (0..<200).map { (ParameterKey("key_\($0)"), ParameterValue.int($0)) }

        #expect(EventParameters(pairs).count == 200)
        #expect(EventParameters(pairs + [(ParameterKey("key_7"), 0)]).count == 200)
        #expect(EventParameters(pairs + [(ParameterKey("key_7"), 0)])[7].value == 0)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ParameterListTests {
    @Test(arguments: [63, 64, 65, 3_000, 200_000])
    func `values that are nested too deep are left out and counted, so no thread's stack overflows`(depth: Int)
        async throws
    {
        let (excess, isWhole) = try await onSmallStack {
            // The object and its list are two levels.
            let value = (2..<depth).reduce(ParameterValue.array(["x"])) { value, _ in .array([value]) }
            let parameters: EventParameters = ["deep": value]
            let copy = EventParameters(parameters.map { ($0.key, $0.value) })
            _ = (parameters == copy, copy.hashValue, "\(copy)", copy.merging(parameters))
            return (parameters.excess, parameters["deep"] != nil)
        }

        #expect(excess == (depth <= EventParameters.maximumDepth ? nil : .tooDeep))
        #expect(isWhole == (depth <= EventParameters.maximumDepth))
    }

    @Test(arguments: [3_000, 200_000])
    func `nested objects have the same depth limit as lists`(depth: Int) async throws {
        let excess = try await onSmallStack {
            (0..<depth).reduce(["x": 1] as EventParameters) { inner, _ in ["inner": .object(inner)] }.excess
        }

        #expect(excess == .tooDeep)
    }

    @Test func `a list is equal to an array of its values`() {
        let list: ParameterList = [1, "two", [3.0]]
        let array: [ParameterValue] = [1, "two", [3.0]]

        #expect(Array(list) == array)
        #expect(ParameterValue.array(list) == .array(array))
        #expect("\(list)" == "\(array)")
    }

    /// Runs a closure on a thread with a stack of 512 KB, the size on Apple's platforms.
    private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws -> Result {
        let (results, result) = AsyncStream.makeStream(of: Result.self)
        let thread = Thread { result.yield(body()) }
        thread.stackSize = 512 * 1_024
        thread.start()
        return try #require(await results.first { _ in true })
    }
}
