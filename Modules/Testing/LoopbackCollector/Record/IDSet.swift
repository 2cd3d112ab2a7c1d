/// A set of event ids, which needs 16 bytes for each UUID and the text for any other id.
///
/// If the set has a bound, it discards the oldest ids. It then contains at least the last `bound` ids and at most twice
/// as many.
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

    /// The number of ids in the set.
    var count: Int { latest.count + earlier.count }

    /// Inserts an id.
    ///
    /// - Parameter id: The id of an event.
    /// - Returns: Whether the id is new.
    mutating func insert(_ id: String) -> Bool {
        let key = IDSet.key(of: id)
        guard !earlier.contains(key, id), latest.insert(key, id) else { return false }
        if latest.count >= bound {
            earlier = latest
            latest = Generation()
        }
        return true
    }

    /// Returns whether the set contains an id.
    func contains(_ id: String) -> Bool {
        let key = IDSet.key(of: id)
        return latest.contains(key, id) || earlier.contains(key, id)
    }

    /// Returns the compact form of a UUID.
    ///
    /// Only the canonical lower-case form has one, so different texts stay
    /// different.
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
