/// The numbers of rows in the order of their changes, the latest of them; a page follows it by its position.
struct ChangeLog: Sendable {
    private static let capacity = 200_000

    private var numbers: [Int] = []
    private var dropped = 0

    /// The position behind the latest change.
    var end: Int { dropped + numbers.count }

    /// Notes that a row has changed; 0 stands for all.
    mutating func append(_ number: Int) {
        numbers.append(number)
        guard numbers.count > ChangeLog.capacity else { return }
        let surplus = ChangeLog.capacity / 2
        numbers.removeFirst(surplus)
        dropped += surplus
    }

    /// The rows that have changed after a position, at most so many different ones in the order of their last changes,
    /// where the next part begins, and how many changes are known no more.
    func changes(after position: Int, limit: Int) -> (rows: [Int], next: Int, missed: Int) {
        let start = position > end ? end : max(position, dropped)
        var rows: [Int] = []
        var seen: Set<Int> = []
        var next = start
        while next < end, rows.count < limit {
            let number = numbers[next - dropped]
            if seen.insert(number).inserted { rows.append(number) }
            next += 1
        }
        return (rows: rows, next: next, missed: max(0, start - position))
    }
}
