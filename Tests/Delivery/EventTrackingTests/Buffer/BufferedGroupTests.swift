import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite struct BufferedGroupTests {
    @Test(
        arguments: [
            [], [[1, 2, 3]], [[1, 2], [3, 4]], [[3, 4], [1, 2]], [[1, 4, 5], [2, 6], [3, 7]], [[2], [], [1]],
        ] as [[[UInt16]]]
    )
    func `events are visited in the order of their ids, regardless of their chunks`(chunks: [[UInt16]]) {
        let group = BufferedGroup(chunks: chunks.map { $0.map { .stub(id: .stub($0)) } })

        var ids: [EventID] = []
        group.forEach { ids.append($0.id) }

        #expect(ids == chunks.joined().sorted().map { .stub($0) })
        #expect(group.count == ids.count)
    }

    @Test func `a group may contain only refusals`() {
        #expect(BufferedGroup().isEmpty)
        #expect(!BufferedGroup(refused: [0: [.bufferFull: 1]]).isEmpty)
    }
}
