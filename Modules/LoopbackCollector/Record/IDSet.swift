/// A set of event ids: sixteen bytes for each UUID, the text for any other id.
///
/// It is exact, or with a bound it forgets the oldest ids: it then knows at least so many and at most twice as many.
struct IDSet: Sendable {
    private struct UUIDKey: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private struct Generation: Sendable {
        var uuids: Set<UUIDKey> = []
        var texts: Set<String> = []

        var count: Int { uuids.count + texts.count }

        mutating func insert(_ key: UUIDKey?, _ id: String) -> Bool {
            if let key { uuids.insert(key).inserted } else { texts.insert(id).inserted }
        }

        func contains(_ key: UUIDKey?, _ id: String) -> Bool {
            if let key { uuids.contains(key) } else { texts.contains(id) }
        }
    }

    private let bound: Int
    private var latest = Generation()
    private var earlier = Generation()

    /// Creates an empty set.
    init(bound: Int = .max) {
        self.bound = max(1, bound)
    }

    /// How many different ids it knows.
    var count: Int { latest.count + earlier.count }

    /// Adds an id and answers whether it is new.
    mutating func insert(_ id: String) -> Bool {
        let key = IDSet.key(of: id)
        guard !earlier.contains(key, id), latest.insert(key, id) else { return false }
        if latest.count >= bound {
            earlier = latest
            latest = Generation()
        }
        return true
    }

    /// Answers whether an id is in the set.
    func contains(_ id: String) -> Bool {
        let key = IDSet.key(of: id)
        return latest.contains(key, id) || earlier.contains(key, id)
    }

    /// Only the canonical lower-case form becomes sixteen bytes, so that different texts stay different ids.
    private static func key(of text: String) -> UUIDKey? {
        guard text.utf8.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.utf8.enumerated() {
            switch (index, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")):
                continue
            case (8, _), (13, _), (18, _), (23, _): return nil
            case (_, 0x30...0x39): push(byte - 0x30)
            case (_, 0x61...0x66): push(byte - 0x61 + 10)
            default: return nil
            }
        }
        return UUIDKey(high: halves.0, low: halves.1)

        func push(_ digit: UInt8) {
            if digits < 16 {
                halves.0 = halves.0 << 4 | UInt64(digit)
            } else {
                halves.1 = halves.1 << 4 | UInt64(digit)
            }
            digits += 1
        }
    }
}
