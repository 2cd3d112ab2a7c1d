public import CoreTracker
public import EventDelivery
import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination for the profiles of Braze's users: traits as attributes, and aliases.
///
/// Attributes have no time, so the last update processed by Braze wins. This destination therefore has a lane of its
/// own, which sends an update after the response to the previous one. The events of ``BrazeDestination`` are sent in
/// parallel. Braze responds before it processes a request, and does not promise to process separate requests in their
/// order. Two updates of an attribute within seconds may therefore leave the older value. To send both events and
/// updates, pass both destinations to the engine:
///
/// ```swift
/// let destinations: [any Destination] = [
///     BrazeDestination(product: "DL", configuration: braze),
///     BrazeProfileDestination(product: "DL", configuration: braze),
/// ]
/// ```
///
/// Traits are sent to `/users/track`, for the user or, before the login, for the user alias with the installation's id.
/// An alias is sent to `/users/identify`, which adds the profile of that user alias to the profile of the user. Braze
/// does so only if the user has no alias with the same label, so the label contains the installation's id. The REST key
/// needs the permission `users.identify`. Braze has no groups.
///
/// An update may arrive twice. The operations `append` and `remove` of a trait are sent as Braze's `add` and `remove`,
/// which have the same result then: a list of Braze has each value once, and an added value moves to its end. The
/// operation `increment` is left out, because Braze's `inc` would count twice, and so is `setOnce`, because Braze has
/// none. They are counted as `operation_not_supported`. Do not use `{"inc": 1}` as the value of a trait.
///
/// Sources: https://www.braze.com/docs/api/objects_filters/user_attributes_object,
/// https://www.braze.com/docs/api/endpoints/user_data/post_user_track and
/// https://www.braze.com/docs/api/endpoints/user_data/post_user_identify
public struct BrazeProfileDestination: Destination {
    /// The maximum number of objects in a request to `/users/identify`.
    private static let maximumAliases = 50
    /// The batch key of aliases.
    ///
    /// A batch ends where the key changes, so aliases and attributes keep their order.
    private static let aliasKey = "identify"
    /// The maximum number of elements of a list attribute.
    ///
    /// Older pages of Braze name 25 or 100 elements; https://github.com/braze-inc/braze-docs/issues/12315 of 2026-02-26
    /// corrects them. A workspace can have a smaller limit, which Braze applies itself.
    private static let maximumElements = 500
    /// The maximum size of attributes in bytes, if one of them is a list or an object.
    private static let maximumNestedBytes = 100_000
    /// Braze's operations on a list, which can be repeated.
    private static let operators: [TraitOperation: ParameterKey] = [.append: "add", .remove: "remove"]
    /// The end of the path of an endpoint for attributes.
    private static let trackPath = "/users/track"

    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let limits: BatchLimits
    private let configuration: BrazeConfiguration
    /// The address for aliases, if it follows from the address for attributes.
    private let identifyURL: URL?

    /// Creates the destination of a product.
    ///
    /// - Parameters:
    ///   - product: The product's prefix, such as `DL`.
    ///   - configuration: The address and the credentials. If the path of a relay does not end in `/users/track`,
    ///     aliases are not supported.
    ///   - purpose: The consent purpose of the events.
    public init(
        product: String,
        configuration: BrazeConfiguration,
        purpose: ConsentPurpose = .marketing
    ) {
        lane = .brazeProfiles(product: product)
        self.configuration = configuration
        self.purpose = purpose
        let url = configuration.endpoint.url
        identifyURL =
            url.path.hasSuffix(BrazeProfileDestination.trackPath)
            ? url.deletingLastPathComponent().appendingPathComponent("identify") : nil
        limits = BatchLimits(
            events: min(configuration.eventsPerRequest, BrazeProfileDestination.maximumAliases),
            bodyBytes: 4_000_000,
            framingBytes: 100
        )
    }

    /// The traits of a user and, if the address is known, aliases.
    public var updates: Set<ProfileUpdate> { identifyURL == nil ? [.traits] : [.traits, .alias] }

    /// Encodes traits as an element of the request's `attributes`, in which `null` removes one, or an alias as an
    /// element of `aliases_to_identify`.
    ///
    /// - Parameters:
    ///   - event: The update.
    ///   - encoder: Receives the JSON, and the counts of adjusted and omitted traits.
    /// - Throws: An error if the event is no such update, if its user's id is too long, if it has neither a user nor an
    ///   installation, if the rules leave no trait, if an alias is too long, or if the attributes exceed 100 kB and one
    ///   of them is a list or an object.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        switch event.update {
        case .traits: try encodeTraits(event, into: &encoder)
        case .alias: try encodeAlias(event, into: &encoder)
        case .group, nil: throw EventEncodingError(rule: "update_not_supported")
        }
    }

    /// Returns a key for aliases, and an empty one for attributes.
    public func batchKey(of event: OutgoingEvent) -> String {
        event.update == .alias ? BrazeProfileDestination.aliasKey : ""
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        let isAlias = batch.key == BrazeProfileDestination.aliasKey
        var json = JSONWriter()
        json.beginObject()
        json.key(BrazeProfileDestination.array(isAlias: isAlias))
        json.beginArray()
        for event in batch.events { json.raw(event.fragment) }
        json.endArray()
        json.endObject()
        return HTTPRequest(
            url: (isAlias ? identifyURL : nil) ?? configuration.endpoint.url,
            headers: [HTTPHeader(fixed: "Content-Type", "application/json"), configuration.authorization],
            body: json.bytes
        )
    }

    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let array = BrazeProfileDestination.array(isAlias: batch.key == BrazeProfileDestination.aliasKey)
        return BrazeResponse.result(for: response, events: batch.events.count, in: array)
    }

    private static func array(isAlias: Bool) -> String { isAlias ? "aliases_to_identify" : "attributes" }

    private func encodeTraits(
        _ event: OutgoingEvent,
        into encoder: inout EventEncoder
    ) throws(EventEncodingError) {
        try BrazeDestination.checkIdentity(of: event)
        var operators: [ParameterKey: ParameterKey] = [:]
        var values: [(ParameterKey, ParameterValue)] = []
        for trait in event.parameters {
            guard let operation = trait.value.traitOperation else {
                values.append((trait.key, trait.value))
                continue
            }
            if let name = BrazeProfileDestination.operators[operation.kind] {
                operators[trait.key] = name
                values.append((trait.key, operation.operand))
            } else {
                encoder.recordAdjustment(TraitOperation.unsupportedRule)
            }
        }
        var attributes = EventRules.brazeAttributes.adjust(EventParameters(values)) { encoder.recordAdjustment($0) }
        for attribute in attributes {
            guard case .array(let elements) = attribute.value,
                elements.count > BrazeProfileDestination.maximumElements
            else { continue }
            attributes[attribute.key] = .array(Array(elements.prefix(BrazeProfileDestination.maximumElements)))
            encoder.recordAdjustment("too_many_elements")
        }
        let removed = EventRules.brazeAttributes.names(event.removedTraits, besides: attributes.count) {
            encoder.recordAdjustment($0)
        }
        guard !attributes.isEmpty || !removed.isEmpty else {
            let isUnsupported = values.count < event.parameters.count
            throw EventEncodingError(rule: isUnsupported ? TraitOperation.unsupportedRule : "traits_empty")
        }
        let start = encoder.byteCount
        encoder.json.beginObject()
        BrazeDestination.writeIdentity(of: event, into: &encoder.json)
        for attribute in attributes {
            let value = operators[attribute.key].map { .object([$0: attribute.value]) } ?? attribute.value
            encoder.json.member(attribute.key.name, value)
        }
        encoder.json.nulls(removed)
        encoder.json.endObject()
        let isNested = attributes.contains { BrazeProfileDestination.isNested($0.value) }
        if isNested, encoder.byteCount - start > BrazeProfileDestination.maximumNestedBytes {
            throw EventEncodingError(rule: "traits_too_large")
        }
    }

    /// Whether a value is a list or an object.
    private static func isNested(_ value: ParameterValue) -> Bool {
        switch value {
        case .array, .object: true
        case .string, .int, .double, .bool: false
        }
    }

    private func encodeAlias(
        _ event: OutgoingEvent,
        into encoder: inout EventEncoder
    ) throws(EventEncodingError) {
        try BrazeDestination.checkIdentity(of: event)
        guard let user = event.identity.userID, !user.isEmpty,
            case .string(let previous)? = event.parameters["previous_id"]
        else { throw EventEncodingError(rule: "identity_missing") }
        try BrazeDestination.checkAlias(previous)
        encoder.json.object(["external_id": .string(user), "user_alias": BrazeDestination.alias(of: previous)])
    }
}

extension EventRules {
    /// The rules for Braze's attributes, whose keys and texts have at most 255 characters, and whose keys have at most
    /// 479 bytes.
    ///
    /// The reserved keys identify the user or import push tokens. Other names of Braze's profile, such as `email` and
    /// `first_name`, are allowed and set that field. The keys of a nested object have no spaces, periods or dollar
    /// signs.
    ///
    /// Sources: https://www.braze.com/docs/api/objects_filters/user_attributes_object,
    /// https://www.braze.com/docs/developer_guide/analytics/setting_user_attributes and
    /// https://www.braze.com/docs/user_guide/data/activation/attributes/nested_custom_attribute_support
    static let brazeAttributes = {
        var rules = attributes
        rules.key.excludedInNestedKeys = Set(" .$".utf8)
        return rules
    }()

    private static let attributes = EventRules(
        name: braze.name,
        key: NameRule(
            maximumLength: 255,
            maximumBytes: maximumNameBytes,
            alphabet: .anyExceptControlCharacters,
            reserved: [
                "external_id", "user_alias", "braze_id", "_update_existing_only", "push_token_import", "push_tokens",
            ],
            reservedPrefixes: ["$"]
        ),
        maximumParameters: 256,
        maximumStringLength: 255
    )
}
