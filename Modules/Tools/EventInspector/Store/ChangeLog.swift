/// The numbers of recently changed rows, in the order of the changes.
///
/// A page follows the log by position.
struct ChangeLog: Sendable {
    private static let capacity = 200_000

    private var numbers: [Int] = []
    private var dropped = 0

    /// The position after the latest change.
    var end: Int { dropped + numbers.count }

    /// Appends a changed row.
    ///
    /// The number 0 represents all rows.
    mutating func append(_ number: Int) {
        numbers.append(number)
        guard numbers.count > ChangeLog.capacity else { return }
        let surplus = ChangeLog.capacity / 2
        numbers.removeFirst(surplus)
        dropped += surplus
    }

    /// Returns the rows that have changed after a position.
    ///
    /// - Parameters:
    ///   - position: The position after the last change that the page has seen.
    ///   - limit: The maximum number of distinct rows.
    /// - Returns: The rows in the order of their changes, the position of the next part, and the number of changes that
    ///   are no longer in the log.
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
