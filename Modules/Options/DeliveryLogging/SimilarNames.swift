/// A search for the name intended by a misspelled one.
enum SimilarNames {
    /// The maximum number of names in a list, and the maximum length of a compared name in bytes.
    private static let (maximumListed, maximumBytes) = (5, 64)

    /// Returns a question about the most similar name, such as `did you mean braze?`.
    ///
    /// If none is similar, it returns the advice with the names in parentheses.
    ///
    /// - Parameters:
    ///   - name: The misspelled name.
    ///   - names: The possible names.
    ///   - title: The word for the names.
    ///   - advice: The advice.
    static func hint(
        about name: String,
        among names: [String],
        named title: String,
        otherwise advice: String
    ) -> String {
        let scored = names.compactMap { other in distance(name, other).map { (distance: $0, name: other) } }
        if let best = scored.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) {
            return "did you mean \(best.name)?"
        }
        let more = names.count > maximumListed ? ", …" : ""
        let list = " (\(title): \(names.prefix(maximumListed).joined(separator: ", "))\(more))"
        return advice + (names.isEmpty ? "" : list)
    }

    /// Returns the number of edits between two names, or `nil` if they are not similar.
    ///
    /// Names that differ only in case have the distance 0. A name that starts with the other one has the distance 1.
    /// Otherwise, one edit for every three bytes of the longer one is allowed. Names in parts, which `/` separates, are
    /// similar if one part is.
    static func distance(_ name: String, _ other: String) -> Int? {
        let parts = [name, other].map { $0.lowercased().split(separator: "/", omittingEmptySubsequences: false) }
        guard name != other, parts[0].count == parts[1].count else { return nil }
        var sum = 0
        for (one, two) in zip(parts[0], parts[1]) where one != two {
            guard sum == 0, let edits = distance(ofPart: Array(one.utf8), Array(two.utf8)) else { return nil }
            sum = edits
        }
        return sum
    }

    private static func distance(ofPart one: [UInt8], _ two: [UInt8]) -> Int? {
        let (short, long) = one.count < two.count ? (one, two) : (two, one)
        guard !short.isEmpty, long.count <= maximumBytes else { return nil }
        if long.starts(with: short) { return 1 }
        let edits = self.edits(one, two)
        return edits <= max(1, long.count / 3) ? edits : nil
    }

    /// Returns the number of inserted, removed, replaced and exchanged bytes.
    private static func edits(_ one: [UInt8], _ two: [UInt8]) -> Int {
        var (earlier, previous) = ([Int](), Array(0...two.count))
        for (row, byte) in one.enumerated() {
            var current = [row + 1]
            for (column, other) in two.enumerated() {
                let replaced = previous[column] + (byte == other ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == two[column - 1], one[row - 1] == other {
                    best = min(best, earlier[column - 1] + 1)
                }
                current.append(best)
            }
            (earlier, previous) = (previous, current)
        }
        return previous[two.count]
    }
}
