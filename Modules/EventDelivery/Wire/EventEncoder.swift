public import CoreTracker

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

extension EventParameters {
    /// The parameters for an SDK that takes a dictionary; for Objective-C they become `NSString`, `NSNumber` and so on.
    ///
    /// A Boolean becomes 1 or 0. A number that is not finite, and what is nested deeper than
    /// ``JSONWriter/maximumDepth``, is left out.
    public var dictionary: [String: any Sendable] {
        dictionary(depth: 1)
    }

    private func dictionary(depth: Int) -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        for parameter in self {
            values[parameter.key.name] = EventParameters.plain(parameter.value, depth: depth)
        }
        return values
    }

    private static func plain(_ value: ParameterValue, depth: Int) -> (any Sendable)? {
        guard depth <= JSONWriter.maximumDepth else { return nil }
        switch value {
        case .string(let text): return text
        case .int(let number): return number
        case .double(let number): return number.isFinite ? number : nil
        case .bool(let flag): return flag ? 1 : 0
        case .array(let elements): return elements.compactMap { plain($0, depth: depth + 1) }
        case .object(let members): return members.dictionary(depth: depth + 1)
        }
    }
}
