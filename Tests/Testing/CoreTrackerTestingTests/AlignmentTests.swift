import Testing

@testable import CoreTrackerTesting

@Suite struct AlignmentTests {
    @Test(arguments: [
        ([], []), ([1], []), ([], [1]), ([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [0, 1, 3, 4]), ([1, 2], [3, 4]),
        ([1, 1, 2], [2, 1, 1]), ([5, 1, 5], [5]),
    ])
    func `the steps contain both lists in their order`(old: [Int], new: [Int]) {
        let steps = Alignment(from: old, to: new).steps

        #expect(steps.flatMap { $0.removed + ($0.kept.map { [$0] } ?? []) } == old)
        #expect(steps.flatMap { $0.inserted + ($0.kept.map { [$0] } ?? []) } == new)
    }

    @Test func `common elements of both lists are kept`() {
        let steps = Alignment(from: [1, 2, 3], to: [0, 1, 3, 4]).steps

        #expect(steps.compactMap(\.kept) == [1, 3])
    }
}
