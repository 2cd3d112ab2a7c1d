/// What the writer takes from the intake in one go.
struct IntakeGroup: Sendable {
    /// Events as the shards have buffered them: each chunk in the order of its ids.
    var chunks: [[IntakeEntry]] = []
    /// Refusals by lane that the stored ledgers do not hold yet.
    var refused: [Int: [DropReason: Int]] = [:]
    /// The last word about each lane's purpose when the group was taken.
    var words: [ConsentWord] = []

    var isEmpty: Bool { chunks.isEmpty && refused.isEmpty }

    /// How many events there are.
    var count: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Goes through all events in the order of their ids, which is that in which they were tracked.
    func forEach(_ body: (IntakeEntry) -> Void) {
        var next = [Int](repeating: 0, count: chunks.count)
        while let (chunk, end) = lowest(from: next) {
            let entries = chunks[chunk]
            repeat {
                body(entries[next[chunk]])
                next[chunk] += 1
            } while next[chunk] < entries.count && entries[next[chunk]].id < end
        }
    }

    /// The chunk that goes on with the lowest id, and the lowest id of the other ones.
    private func lowest(from next: [Int]) -> (chunk: Int, end: EventID)? {
        let last = EventID(high: .max, low: .max)
        var (chunk, lowest, end) = (Int?.none, last, last)
        for index in chunks.indices where next[index] < chunks[index].count {
            let id = chunks[index][next[index]].id
            if id < lowest {
                (chunk, lowest, end) = (index, id, lowest)
            } else if id < end {
                end = id
            }
        }
        return chunk.map { ($0, end) }
    }
}
