/// What a destination writes one event into: the bytes of its fragment, and the repairs made on the way.
public struct EventEncoder: Sendable {
    /// The JSON of the fragment.
    public var json = JSONWriter()
    /// How often each repair rule was applied, by the rule's name.
    public private(set) var repairs: [String: Int] = [:]

    /// Creates an empty encoder.
    public init() {}

    /// Counts a repair: the event is sent, but not as it was tracked.
    ///
    /// The rule is a stable name in snake case.
    public mutating func repaired(_ rule: String) {
        repairs[rule, default: 0] += 1
    }

    /// How many bytes the fragment has so far.
    public var byteCount: Int { json.byteCount }

    /// The fragment's bytes; a copy.
    public var bytes: [UInt8] { json.bytes }

    /// Empties the encoder and keeps its memory.
    package mutating func reset() {
        json.reset()
        if !repairs.isEmpty { repairs.removeAll() }
    }
}
