package import CoreTracker
public import EventTracking

/// An error for a quotas document.
public enum QuotasError: Error, Equatable, Sendable {
    /// The document has more than 65,536 bytes.
    ///
    /// The associated value is its size.
    case tooLarge(bytes: Int)
    /// The document is not JSON, or a value has a wrong type.
    ///
    /// The associated value is the path of the value, such as `events.viewed.sample`. It is empty if the path is not
    /// known, for example because the document is not JSON.
    case malformed(at: String)
    /// The document's version is not 1.
    case unknownVersion(Int)
    /// The document has more than 1,000 entries.
    ///
    /// The associated value is their number.
    case tooManyEntries(Int)
    /// The document is in effect until the process ends, but it is not stored.
    ///
    /// The associated error is the reason. The engine stores the document when it opens its directory again, and with
    /// the next call. If the process ends before that, the next start uses the previously stored document.
    case notStored(OutboxError)
}

extension QuotasError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLarge(let bytes): "the quotas document has \(bytes) bytes: the maximum is \(RemoteQuotas.maximumBytes)"
        case .malformed(let path) where path.isEmpty: "the quotas document is malformed"
        case .malformed(let path): "the quotas document has no valid value at \(path)"
        case .unknownVersion(let version): "the quotas document has the unknown version \(version)"
        case .tooManyEntries(let count):
            "the quotas document has \(count) entries: the maximum is \(RemoteQuotas.maximumEntries)"
        case .notStored(let error): "the quotas are in effect until the process ends, but not stored: \(error)"
        }
    }
}

/// The contents of a quotas document: quotas for events, lanes, the events of a lane and products, which replace the
/// configuration's quotas.
///
/// Decoding checks the version and the types, and clamps values. Unknown keys are ignored and counted, so one document
/// can serve several versions of an app.
package struct RemoteQuotas: Sendable, Equatable {
    /// The quotas of one event name, lane or product, or of one event name on a lane.
    ///
    /// If a quota is `nil`, the next entry in the order of precedence sets it.
    package struct Entry: Sendable, Equatable {
        /// The share of units whose events are accepted, from 0 to 1.
        package var sample: Double?
        /// The maximum number of accepted events per minute.
        package var perMinute: Int?
        /// Whether all events are dropped.
        package var off: Bool?
        /// The quotas by event name on a lane, and empty for any other entry.
        package fileprivate(set) var events: [String: Entry] = [:]
        fileprivate var clamped = 0
        fileprivate var ignored = 0
    }

    /// The maximum size of a document in bytes.
    package static let maximumBytes = 65_536
    /// The maximum number of entries in a document.
    package static let maximumEntries = 1_000
    /// The maximum rate, to which greater rates are clamped.
    static let maximumRate = 1_000_000
    private static let version = 1

    /// The unit of sampling, or `nil` for the configuration's unit.
    package private(set) var unit: SamplingUnit?
    /// The quotas by event name.
    package private(set) var events: [String: Entry] = [:]
    /// The quotas by lane.
    package private(set) var lanes: [LaneID: Entry] = [:]
    /// The quotas by product.
    package private(set) var products: [String: Entry] = [:]
    /// The number of unknown keys outside entries.
    private var ignoredSections = 0

    private var entries: [Entry] {
        Array(events.values) + Array(products.values) + lanes.values.flatMap { [$0] + Array($0.events.values) }
    }

    /// The number of entries.
    package var count: Int { lanes.values.reduce(events.count + lanes.count + products.count) { $0 + $1.events.count } }

    /// The number of values out of range.
    package var clamped: Int { entries.reduce(0) { $0 + $1.clamped } }

    /// The number of unknown keys.
    package var ignored: Int { entries.reduce(ignoredSections) { $0 + $1.ignored } }
}

extension RemoteQuotas: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case version, unit, events, lanes, products
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let version = try values.decode(Int.self, forKey: .version)
        guard version == RemoteQuotas.version else { throw QuotasError.unknownVersion(version) }
        unit = try values.decodeIfPresent(SamplingUnit.self, forKey: .unit)
        events = try RemoteQuotas.entries(in: values, .events).mapValues(\.withoutEvents)
        products = try RemoteQuotas.entries(in: values, .products).mapValues(\.withoutEvents)
        for (name, entry) in try RemoteQuotas.entries(in: values, .lanes) {
            guard let lane = LaneID(name) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: [CodingKeys.lanes, AnyKey(stringValue: name)],
                        debugDescription: ""
                    )
                )
            }
            lanes[lane] = entry
            lanes[lane]?.events = entry.events.mapValues(\.withoutEvents)
        }
        guard count <= RemoteQuotas.maximumEntries else { throw QuotasError.tooManyEntries(count) }
        ignoredSections = try AnyKey.count(in: decoder) - values.allKeys.count
    }

    /// Decodes a section, and ignores `null` entries.
    private static func entries(
        in values: KeyedDecodingContainer<CodingKeys>,
        _ section: CodingKeys
    ) throws -> [String: Entry] {
        try values.decodeIfPresent([String: Entry?].self, forKey: section)?.compactMapValues { $0 } ?? [:]
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(RemoteQuotas.version, forKey: .version)
        try values.encodeIfPresent(unit, forKey: .unit)
        try values.encode(events, forKey: .events)
        let lanes = lanes.keyed { ($0.key.description, $0.value) }
        try values.encode(lanes, forKey: .lanes)
        try values.encode(products, forKey: .products)
    }
}

extension RemoteQuotas.Entry: Codable {
    private enum CodingKeys: String, CodingKey {
        case sample, perMinute, off, events
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        off = try values.decodeIfPresent(Bool.self, forKey: .off)
        events =
            try values.decodeIfPresent([String: RemoteQuotas.Entry?].self, forKey: .events)?.compactMapValues(\.self)
            ?? [:]
        if let share = try values.decodeIfPresent(Double.self, forKey: .sample) { sample = clamp(share, to: 1) }
        if let rate = try values.decodeIfPresent(Double.self, forKey: .perMinute) {
            perMinute = Int(exactly: clamp(rate, to: Double(RemoteQuotas.maximumRate)).rounded(.down))
        }
        ignored = try AnyKey.count(in: decoder) - values.allKeys.count
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(sample, forKey: .sample)
        try values.encodeIfPresent(perMinute, forKey: .perMinute)
        try values.encodeIfPresent(off, forKey: .off)
        if !events.isEmpty { try values.encode(events, forKey: .events) }
    }

    /// The entry, in which `events` is an unknown key.
    fileprivate var withoutEvents: RemoteQuotas.Entry {
        guard !events.isEmpty else { return self }
        var entry = self
        entry.events = [:]
        entry.ignored += 1
        return entry
    }

    private mutating func clamp(_ value: Double, to maximum: Double) -> Double {
        let result = min(max(0, value), maximum)
        if result != value { clamped += 1 }
        return result
    }
}

/// A key of any name.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }

    /// Returns the number of keys of an object.
    static func count(in decoder: any Decoder) throws -> Int {
        try decoder.container(keyedBy: AnyKey.self).allKeys.count
    }
}

extension LaneID {
    /// Creates an identifier from a text such as `DL/firebase`.
    fileprivate init?(_ text: String) {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        self.init(product: String(text[..<slash]), service: String(text[text.index(after: slash)...]))
    }
}
