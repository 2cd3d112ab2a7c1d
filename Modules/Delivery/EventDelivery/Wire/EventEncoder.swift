/// A buffer into which a destination encodes one event.
///
/// It also counts the adjustments.
public struct EventEncoder: Sendable {
    /// The JSON of the event.
    public var json = JSONWriter()
    /// The count of each adjustment, by the rule's name.
    public private(set) var adjustments: [String: Int] = [:]

    /// Creates an empty encoder.
    public init() {}

    /// Counts an adjustment: the event is sent, but differs from the tracked one.
    ///
    /// - Parameter rule: The rule's stable name in snake case.
    public mutating func recordAdjustment(_ rule: String) {
        adjustments[rule, default: 0] += 1
    }

    /// The number of bytes written so far.
    public var byteCount: Int { json.byteCount }

    /// A copy of the bytes written so far.
    public var bytes: [UInt8] { json.bytes }

    /// Empties the encoder and keeps its memory.
    package mutating func reset() {
        json.reset()
        if !adjustments.isEmpty { adjustments.removeAll() }
    }
}
