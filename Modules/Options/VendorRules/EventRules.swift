public import CoreTracker
public import EventDelivery

/// A vendor's rules for events as data, with one policy for all vendors.
///
/// An event whose name breaks a rule is refused. Other violations are adjusted, so one bad parameter does not lose the
/// event:
/// - A parameter is left out if it has an invalid key, a non-finite number, or a value of an unsupported shape.
/// - An overlong string is cut at the end of a character. If its key ends in `_id` it is left out instead, because a
///   cut id misleads.
/// - If there are too many parameters, the last defaults are left out first.
///
/// Dropped and adjusted events are counted by the broken rule: `name_…`, `key_…`, `value_…`, `too_many_…`, `item_…`,
/// `user_id_…`, and the names in the comments below.
///
/// ```swift
/// public static let braze = EventRules(
///     name: NameRule(maximumLength: 255, alphabet: .anyExceptControlCharacters, reservedPrefixes: ["$"]),
///     key: NameRule(
///         maximumLength: 255,
///         alphabet: .anyExceptControlCharacters,
///         reserved: ["time", "event_name"],
///         reservedPrefixes: ["$"]
///     ),
///     maximumParameters: 256,
///     maximumStringLength: 255
/// )
/// ```
public struct EventRules: Sendable, Equatable {
    /// The shapes of values accepted by a vendor besides strings, numbers and Booleans.
    public enum Nesting: Sendable, Equatable {
        /// Lists and objects of any depth.
        case unrestricted
        /// Lists of flat objects, under the given keys only.
        ///
        /// These keys accept no other values, and no other nesting is allowed.
        ///
        /// A list without any valid element is left out, with the rule `items_empty` if its key is `items`.
        case lists([String: ListRule])
    }

    /// The rule for the event's name.
    public var name: NameRule
    /// The rule for keys, including those inside objects.
    public var key: NameRule
    /// The maximum number of parameters of an event, including defaults.
    public var maximumParameters: Int
    /// The maximum length of a string in UTF-16 units.
    public var maximumStringLength: Int { didSet { shortestLimit = limit() } }
    /// The maximum string lengths for some keys, instead of ``maximumStringLength``.
    public var maximumStringLengths: [String: Int] { didSet { shortestLimit = limit() } }
    /// The keys whose string must not be empty, such as an order's id.
    ///
    /// The rule is `transaction_id_empty`, for example.
    public var nonEmptyKeys: Set<String>
    /// The accepted shapes of values besides strings, numbers and Booleans.
    public var nesting: Nesting { didSet { noteSpecialKeys() } }
    /// Whether Booleans are sent as 1 and 0.
    public var sendsBooleansAsNumbers: Bool
    /// The keys filled by the destination if the event does not set them.
    ///
    /// Their places are reserved. The event's value must be a positive number, as a number or a string. Otherwise the
    /// rule is `automatic_parameter_invalid`.
    public var automaticKeys: [ParameterKey] { didSet { noteSpecialKeys() } }
    /// The rule for the id of an event's user.
    package var userID = UserIDRule()
    /// The length allowed for every key.
    private var shortestLimit = 0
    /// The keys of ``Nesting/lists(_:)``.
    private var listKeys: [ParameterKey] = []
    /// The lengths of ``automaticKeys`` and ``listKeys``, one bit each.
    ///
    /// Most other keys have another length and need no lookup.
    private var specialLengths: UInt64 = 0

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - name: The rule for the event's name.
    ///   - key: The rule for keys, including those inside objects.
    ///   - maximumParameters: The maximum number of parameters of an event, including defaults.
    ///   - maximumStringLength: The maximum length of a string in UTF-16 units.
    ///   - maximumStringLengths: The maximum string lengths for some keys.
    ///   - nonEmptyKeys: The keys whose string must not be empty.
    ///   - nesting: The accepted shapes of values besides strings, numbers and Booleans.
    ///   - sendsBooleansAsNumbers: Whether Booleans are sent as 1 and 0.
    ///   - automaticKeys: The keys filled by the destination if the event does not set them.
    public init(
        name: NameRule,
        key: NameRule,
        maximumParameters: Int,
        maximumStringLength: Int,
        maximumStringLengths: [String: Int] = [:],
        nonEmptyKeys: Set<String> = [],
        nesting: Nesting = .unrestricted,
        sendsBooleansAsNumbers: Bool = false,
        automaticKeys: [ParameterKey] = []
    ) {
        self.name = name
        self.key = key
        self.maximumParameters = maximumParameters
        self.maximumStringLength = maximumStringLength
        self.maximumStringLengths = maximumStringLengths
        self.nonEmptyKeys = nonEmptyKeys
        self.nesting = nesting
        self.sendsBooleansAsNumbers = sendsBooleansAsNumbers
        self.automaticKeys = automaticKeys
        shortestLimit = limit()
        noteSpecialKeys()
    }

    /// The rules for a vendor that documents none: names and keys must not be empty or contain control characters.
    ///
    /// The limits of the engine's encoding still apply: 64 KiB for a string, and 32 levels of nesting.
    public static let permissive = EventRules(
        name: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        key: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
        maximumParameters: .max,
        maximumStringLength: .max
    )

    /// Checks an event's name.
    ///
    /// - Parameter text: The name.
    /// - Throws: `EventEncodingError` with a rule `name_…` if the name breaks the rule.
    public func check(name text: String) throws(EventEncodingError) {
        if let fault = name.fault(in: text) { throw EventEncodingError(rule: "name_\(fault.rawValue)") }
    }

    /// Returns the valid keys among the names of removed traits.
    ///
    /// - Parameters:
    ///   - keys: The names.
    ///   - count: The number of traits in the same request, which have places before the names.
    ///   - report: Receives the rule broken by each omitted name.
    /// - Returns: The accepted names.
    public func names(
        _ keys: [ParameterKey],
        besides count: Int,
        report: (_ rule: String) -> Void
    ) -> [ParameterKey] {
        var accepted: [ParameterKey] = []
        for key in keys {
            if let fault = self.key.fault(in: key.name) {
                report("key_\(fault.rawValue)")
            } else if count + accepted.count >= maximumParameters {
                report("too_many_parameters")
            } else {
                accepted.append(key)
            }
        }
        return accepted
    }

    private func limit() -> Int { min(maximumStringLength, maximumStringLengths.values.min() ?? .max) }

    private mutating func noteSpecialKeys() {
        if case .lists(let rules) = nesting {
            listKeys = rules.keys.sorted(by: \.self).map { ParameterKey($0) }
        } else {
            listKeys = []
        }
        specialLengths = (automaticKeys + listKeys).reduce(0) { $0 | EventRules.bit(ofLengthOf: $1.name) }
    }

    private static func bit(ofLengthOf key: String) -> UInt64 { 1 << UInt64(key.utf8.count & 63) }
}

/// The traversal of an event's parameters. Functions that return values and functions that write them share it and
/// apply the same rules.
extension EventRules {
    /// Returns an event's parameters and defaults, adjusted to the rules.
    ///
    /// - Parameters:
    ///   - parameters: The event's parameters, which override the defaults.
    ///   - defaults: The product's default parameters.
    ///   - reservedSlots: The number of parameters added by the destination, including ``automaticKeys``.
    ///   - report: Receives the rule of each adjustment.
    /// - Returns: The adjusted parameters.
    public func adjust(
        _ parameters: EventParameters,
        over defaults: EventParameters = [:],
        reservedSlots: Int = 0,
        report: (_ rule: String) -> Void
    ) -> EventParameters {
        let merged = defaults.merging(parameters)
        var kept: [(ParameterKey, ParameterValue)] = []
        kept.reserveCapacity(merged.count)
        var isAdjusted = false
        visit(parameters, over: defaults, reservedSlots: reservedSlots, report: report) { key, value, isReplaced in
            kept.append((key, value))
            if isReplaced { isAdjusted = true }
        }
        guard isAdjusted || kept.count < merged.count else { return merged }
        let adjusted = EventParameters(kept)
        return EventParameters(merged.lazy.compactMap { old in adjusted[old.key].map { (old.key, $0) } })
    }

    /// Writes an event's parameters as members of the current object, adjusted to the rules.
    ///
    /// The event's parameters come first, then the defaults that they do not override. Only adjusted values are copied.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - reservedSlots: The number of parameters added by the destination, including ``automaticKeys``.
    ///   - encoder: Receives the members and the adjustments.
    /// - Returns: The ``automaticKeys`` missing from the event, which the destination must fill.
    package func write(
        _ event: OutgoingEvent,
        reservedSlots: Int,
        into encoder: inout EventEncoder
    ) -> [ParameterKey] {
        var missing = automaticKeys
        visit(event.parameters, over: event.defaults, reservedSlots: reservedSlots) {
            encoder.recordAdjustment($0)
        } keep: { key, value, _ in
            if self.key.alphabet == .asciiLettersDigitsUnderscores {
                encoder.json.key(verbatim: key.name)
            } else {
                encoder.json.key(key.name)
            }
            encoder.json.value(value)
            if mayBeSpecial(key) { missing.removeAll { $0 == key } }
        }
        return missing
    }
}

extension EventRules {
    /// The result for a value.
    private enum Outcome {
        /// The value is accepted unchanged.
        case kept
        /// Another value is sent instead.
        case replaced(ParameterValue)
        /// The value is left out.
        case leftOut
    }

    /// Visits the remaining parameters.
    ///
    /// The event's parameters come first, so the last defaults find no place.
    @inline(__always)
    private func visit(
        _ parameters: EventParameters,
        over defaults: EventParameters,
        reservedSlots: Int,
        report: (String) -> Void,
        keep: (ParameterKey, ParameterValue, _ isReplaced: Bool) -> Void
    ) {
        var places = maximumParameters - reservedSlots
        func visit(_ parameter: EventParameters.Element) {
            switch outcome(of: parameter, &places, report) {
            case .kept: keep(parameter.key, parameter.value, false)
            case .replaced(let value): keep(parameter.key, value, true)
            case .leftOut: break
            }
        }
        for parameter in parameters { visit(parameter) }
        for parameter in defaults where !parameters.contains(where: { $0.key == parameter.key }) { visit(parameter) }
    }

    private func listRule(of key: ParameterKey) -> ListRule? {
        guard listKeys.contains(key), case .lists(let rules) = nesting else { return nil }
        return rules[key.name]
    }

    /// Whether a key may be in ``automaticKeys`` or ``listKeys``.
    ///
    /// The length rules out most keys.
    private func mayBeSpecial(_ key: ParameterKey) -> Bool {
        specialLengths & EventRules.bit(ofLengthOf: key.name) != 0
    }

    private func outcome(
        of parameter: EventParameters.Element,
        _ places: inout Int,
        _ report: (String) -> Void
    ) -> Outcome {
        if let fault = key.fault(in: parameter.key.name) { return omit("key_\(fault.rawValue)", report) }
        let outcome: Outcome
        if mayBeSpecial(parameter.key), automaticKeys.contains(parameter.key) {
            let isValid = EventRules.isPositiveNumber(parameter.value)
            return isValid ? .kept : omit("automatic_parameter_invalid", report)
        } else if mayBeSpecial(parameter.key), let rule = listRule(of: parameter.key) {
            outcome = list(parameter.value, of: parameter.key.name, under: rule, report)
        } else {
            outcome = self.outcome(of: parameter.value, under: parameter.key.name, depth: 1, report)
        }
        if case .leftOut = outcome { return .leftOut }
        guard places > 0 else { return omit("too_many_parameters", report) }
        places -= 1
        return outcome
    }

    private func outcome(
        of value: ParameterValue,
        under key: String,
        depth: Int,
        _ report: (String) -> Void
    ) -> Outcome {
        switch value {
        case .int: return .kept
        case .bool(let flag): return sendsBooleansAsNumbers ? .replaced(.int(flag ? 1 : 0)) : .kept
        case .string(let text): return outcome(of: text, under: key, report)
        case .double(let number): return number.isFinite ? .kept : omit("value_not_finite", report)
        case .array, .object: break
        }
        guard nesting == .unrestricted else { return omit("value_nested", report) }
        guard depth < JSONWriter.maximumDepth else { return omit("value_too_deep", report) }
        if case .array(let elements) = value {
            let adjusted = adjusted(elements) { outcome(of: $0, under: key, depth: depth + 1, report) }
            return adjusted.map { .replaced(.array($0)) } ?? .kept
        }
        guard case .object(let members) = value else { return .kept }
        let adjusted = adjusted(members) { outcome(of: $0, depth: depth + 1, report) }
        return adjusted.map { .replaced(.object($0)) } ?? .kept
    }

    private func outcome(of member: EventParameters.Element, depth: Int, _ report: (String) -> Void) -> Outcome {
        let fault = key.fault(in: member.key.name, isNested: true)
        if let fault { return omit("key_\(fault.rawValue)", report) }
        return outcome(of: member.value, under: member.key.name, depth: depth, report)
    }

    private func outcome(of text: String, under key: String, _ report: (String) -> Void) -> Outcome {
        let count = text.utf8.count
        if count == 0, nonEmptyKeys.contains(key) { return omit("\(key)_empty", report) }
        guard count > shortestLimit else { return .kept }
        let limit = maximumStringLengths[key] ?? maximumStringLength
        guard count > limit, let end = text.index(ofCutAt: limit) else { return .kept }
        if key.hasSuffix("_id") { return omit("identifier_too_long", report) }
        report("value_too_long")
        return .replaced(.string(String(text[..<end])))
    }

    /// Checks a list of flat objects.
    ///
    /// Leaves out invalid elements, and elements beyond the maximum.
    private func list(
        _ value: ParameterValue,
        of key: String,
        under rule: ListRule,
        _ report: (String) -> Void
    ) -> Outcome {
        guard case .array(let elements) = value else { return omit("\(key)_empty", report) }
        var places = rule.maximumElements
        let adjusted = adjusted(elements) { element in
            guard places > 0 else {
                if places == 0 { report("too_many_elements") }
                places = -1
                return .leftOut
            }
            let outcome = outcome(of: element, in: rule, report)
            if case .leftOut = outcome { return .leftOut }
            places -= 1
            return outcome
        }
        guard !(adjusted ?? elements).isEmpty else { return omit("\(key)_empty", report) }
        return adjusted.map { .replaced(.array($0)) } ?? .kept
    }

    private func outcome(of element: ParameterValue, in rule: ListRule, _ report: (String) -> Void) -> Outcome {
        guard case .object(let members) = element else { return omit("item_invalid", report) }
        // Only an object with more members than that can have too many other keys.
        var places = members.count > rule.maximumOtherKeys ? rule.maximumOtherKeys : .max
        var isIdentified = rule.identifyingKeys.isEmpty
        let adjusted = adjusted(members) { member in
            let outcome = outcome(of: member, depth: 2, report)
            if case .leftOut = outcome { return .leftOut }
            if places < .max, !rule.knownKeys.contains(member.key.name) {
                guard places > 0 else { return omit("too_many_element_keys", report) }
                places -= 1
            }
            if !isIdentified, rule.identifyingKeys.contains(member.key), member.value != .string("") {
                isIdentified = true
            }
            return outcome
        }
        guard isIdentified else { return omit("item_invalid", report) }
        return adjusted.map { .replaced(.object($0)) } ?? .kept
    }

    private func omit(_ rule: String, _ report: (String) -> Void) -> Outcome {
        report(rule)
        return .leftOut
    }

    private static func isPositiveNumber(_ value: ParameterValue) -> Bool {
        switch value {
        case .int(let number): number > 0
        case .double(let number): number > 0 && number.isFinite
        case .string(let text): text.isPositiveWholeNumber
        case .bool, .array, .object: false
        }
    }
}

/// Adjusted copies of lists and objects. They are `nil`, without any copying, if nothing was adjusted.
extension EventRules {
    private func adjusted(
        _ elements: ParameterList,
        _ outcome: (ParameterValue) -> Outcome
    ) -> ParameterList? {
        var copy: [ParameterValue]?
        for (index, element) in elements.enumerated() {
            let outcome = outcome(element)
            if case .kept = outcome { copy?.append(element) } else if copy == nil { copy = Array(elements[..<index]) }
            if case .replaced(let value) = outcome { copy?.append(value) }
        }
        return copy.map { ParameterList($0) }
    }

    private func adjusted(
        _ members: EventParameters,
        _ outcome: (EventParameters.Element) -> Outcome
    ) -> EventParameters? {
        var copy: [(ParameterKey, ParameterValue)]?
        for (index, member) in members.enumerated() {
            let outcome = outcome(member)
            if case .kept = outcome {
                copy?.append((member.key, member.value))
            } else if copy == nil {
                copy = members[..<index].map { ($0.key, $0.value) }
            }
            if case .replaced(let value) = outcome { copy?.append((member.key, value)) }
        }
        return copy.map { EventParameters($0) }
    }
}

extension String {
    /// The end of the longest prefix of at most `limit` UTF-16 units that cuts no character, or `nil` if the whole
    /// string fits.
    fileprivate func index(ofCutAt limit: Int) -> String.Index? {
        guard utf16.count > limit else { return nil }
        var rest = limit
        return indices.first { index in
            rest -= self[index].utf16.count
            return rest < 0
        }
    }

    /// Whether the string is a whole number above 0, with at most 18 digits and no leading zeros.
    package var isPositiveWholeNumber: Bool {
        guard (1...18).contains(utf8.count), utf8.first != UInt8(ascii: "0") else { return false }
        return utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    }
}
