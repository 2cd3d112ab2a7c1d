import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite struct BufferShardTests {
    private let identity = CurrentIdentity(.stub(), now: MonotonicInstant(nanoseconds: 0))

    @Test(arguments: [UInt16(0), 1, 63, 64, 65, 199, 200])
    func `a group has the events up to an id, and the next group has the later ones`(last: UInt16) {
        var state = BufferShard.State(identity)
        for number in UInt16(1)...200 { append(number, to: &state) }
        var (first, second) = (BufferedGroup(), BufferedGroup())

        state.move(upTo: .stub(last), into: &first)
        let left = state.count
        state.move(upTo: .stub(200), into: &second)

        #expect(first.ids == (0..<last).map { .stub($0 + 1) })
        #expect(second.ids == (last..<200).map { .stub($0 + 1) })
        #expect(left == 200 - Int(last))
        #expect(state.count == 0 && state.urgent == 0)
    }

    @Test func `new events between two groups follow those that remained`() {
        var state = BufferShard.State(identity)
        for number in UInt16(1)...3 { append(number, to: &state) }
        var (first, second) = (BufferedGroup(), BufferedGroup())

        state.move(upTo: .stub(1), into: &first)
        for number in UInt16(4)...100 { append(number, to: &state) }
        state.move(upTo: .stub(100), into: &second)

        #expect(second.ids == (UInt16(2)...100).map { .stub($0) })
    }

    @Test func `relaxed events are due a second after the first one`() {
        var state = BufferShard.State(identity)
        append(1, to: &state)
        #expect(state.relaxedDue == nil)

        let isFirst = state.append(.stub(id: .stub(2), durability: .relaxed), now: MonotonicInstant(nanoseconds: 5))
        let isNext = state.append(.stub(id: .stub(3), durability: .relaxed), now: MonotonicInstant(nanoseconds: 9))

        #expect(isFirst && !isNext)
        #expect(state.relaxedDue == MonotonicInstant(nanoseconds: 1_000_000_005))
        #expect(state.urgent == 1)
        var group = BufferedGroup()
        state.move(upTo: .stub(3), into: &group)
        #expect(state.relaxedDue == nil)
    }

    @Test func `a loss is due after a second, but a denial by the user is not`() {
        var state = BufferShard.State(identity)
        let (first, next) = (MonotonicInstant(nanoseconds: 5), MonotonicInstant(nanoseconds: 9))

        let denial = state.refuse(lane: 0, .consentDenied, now: first)
        #expect(!denial.startsWait && !denial.isFirst && state.relaxedDue == nil)
        let capped = state.refuse(lane: 0, .rateCapped, now: first)
        let full = state.refuse(lane: 0, .bufferFull, now: next)

        #expect(capped == (true, true) && full == (false, true))
        #expect(state.relaxedDue == MonotonicInstant(nanoseconds: 1_000_000_005))
        #expect(state.refused == [0: [.consentDenied: 1, .rateCapped: 1, .bufferFull: 1]])
    }

    @Test func `the first loss of each reason is reported at once, again after the writer has taken the losses`() {
        var state = BufferShard.State(identity)
        let now = MonotonicInstant(nanoseconds: 5)

        let first = (1...3).map { _ in state.refuse(lane: 0, .bufferFull, now: now).isFirst }
        let other = state.refuse(lane: 1, .bufferFull, now: now).isFirst
        var group = BufferedGroup()
        state.move(upTo: .stub(1), into: &group)
        let next = state.refuse(lane: 0, .bufferFull, now: now).isFirst
        state.putBackRefusals(of: group, now: now)
        var both = BufferedGroup()
        state.move(upTo: .stub(1), into: &both)

        #expect(first == [true, false, false] && other && next)
        #expect(group.reported == [0: [.bufferFull: 1], 1: [.bufferFull: 1]])
        #expect(both.refused == [0: [.bufferFull: 4], 1: [.bufferFull: 1]])
        #expect(both.reported == [0: [.bufferFull: 2], 1: [.bufferFull: 1]])
    }

    @Test func `removed events are counted, and the others stay in order`() {
        var state = BufferShard.State(identity)
        for number in UInt16(1)...130 {
            _ = state.append(.stub(id: .stub(number), lane: Int(number) % 2), now: MonotonicInstant(nanoseconds: 0))
        }

        let removed = state.remove(.consentDenied) { $0.lane == 1 }

        #expect(removed.map(\.id) == stride(from: UInt16(1), through: 129, by: 2).map { .stub($0) })
        #expect(state.entries.map(\.id) == stride(from: UInt16(2), through: 130, by: 2).map { .stub($0) })
        #expect((state.count, state.urgent) == (65, 65))
        var group = BufferedGroup(refused: [1: [.consentDenied: 1, .bufferFull: 2]])
        state.move(upTo: .stub(130), into: &group)
        #expect(group.refused == [1: [.consentDenied: 66, .bufferFull: 2]])
        #expect(state.refused.isEmpty)
    }

    @Test func `a shard reads the identity again after a change`() {
        var state = BufferShard.State(identity)
        let before = state.identity(identity)

        let same = state.identity(identity)
        identity.change { $0.userID = "ali" }
        let changed = state.identity(identity)

        #expect(before === same)
        #expect(changed.identity.userID == "ali")
    }

    private func append(_ number: UInt16, to state: inout BufferShard.State) {
        _ = state.append(.stub(id: .stub(number)), now: MonotonicInstant(nanoseconds: 0))
    }
}

extension BufferedGroup {
    fileprivate var ids: [EventID] {
        var ids: [EventID] = []
        forEach { ids.append($0.id) }
        return ids
    }
}
