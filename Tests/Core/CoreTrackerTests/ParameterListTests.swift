import CoreTracker
import Foundation
import Testing

@Suite struct ParameterListTests {
    @Test(arguments: [63, 64, 65, 3_000, 200_000])
    func `what lies too deep is left out and remembered, so that no thread's stack is too small for it`(depth: Int)
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
