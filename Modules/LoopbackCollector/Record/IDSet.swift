/// An exact set of event ids: sixteen bytes for each UUID, the text for any other id.
struct IDSet: Sendable {
    private struct UUIDKey: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private var uuids: Set<UUIDKey> = []
    private var texts: Set<String> = []

    /// How many different ids there are.
    var count: Int { uuids.count + texts.count }

    /// Adds an id and answers whether it is new.
    mutating func insert(_ id: String) -> Bool {
        if let key = IDSet.key(of: id) { uuids.insert(key).inserted } else { texts.insert(id).inserted }
    }

    /// Answers whether an id is in the set.
    func contains(_ id: String) -> Bool {
        if let key = IDSet.key(of: id) { uuids.contains(key) } else { texts.contains(id) }
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
