/// A vendor's rules for events, as data, with one policy for all vendors.
///
/// An event whose name breaks a rule is refused. Everything else is repaired, so that one bad parameter does not cost
/// the event: a parameter with a bad key, a number that is not finite and a value of a shape that the vendor does not
/// take are left out, a text that is too long is cut at a character's end, and of too many parameters the last
/// defaults go first. Refusals and repairs carry the broken rule's name: `name_…`, `key_…`, `value_…`, `too_many_…`.
public struct EventRules: Sendable, Hashable {
    /// The shapes of values that a vendor takes beside texts, numbers and truth values.
    public enum Nesting: Sendable, Hashable {
        /// Lists and objects of any depth.
        case free
        /// Lists of flat objects under the given keys, and nothing else.
        case lists([String: ListRule])
    }

    /// The rule for the event's name.
    public var name: NameRule
    /// The rule for keys, also those inside objects.
    public var key: NameRule
    /// The most parameters of an event, defaults included.
    public var maximumParameters: Int
    /// The most UTF-16 units of a text.
    public var maximumTextLength: Int
    /// Other maximums for the texts of some keys.
    public var textLengths: [String: Int]
    /// The shapes of values beside texts, numbers and truth values.
    public var nesting: Nesting
    /// Whether truth values are sent as 1 and 0.
    public var sendsBooleansAsNumbers: Bool

    /// Creates rules.
    public init(
        name: NameRule,
        key: NameRule,
        maximumParameters: Int,
        maximumTextLength: Int,
        textLengths: [String: Int] = [:],
        nesting: Nesting = .free,
        sendsBooleansAsNumbers: Bool = false
    ) {
        self.name = name
        self.key = key
        self.maximumParameters = maximumParameters
        self.maximumTextLength = maximumTextLength
        self.textLengths = textLengths
        self.nesting = nesting
        self.sendsBooleansAsNumbers = sendsBooleansAsNumbers
    }

    /// Refuses an event's name that breaks a rule.
    public func check(name text: String) throws(EventRefusal) {
        if let fault = name.fault(in: text) { throw EventRefusal(rule: "name_\(fault.rawValue)") }
    }
}
