import CoreTracker
public import EventDelivery

/// A service whose rules the tracking plan holds events to: the destination that really delivers to it.
public struct CheckedService: Sendable {
    /// The destination, with its product and its lane's service name.
    public let destination: any Destination
    /// The vendor's rules as data, for the plan's text; `nil` where the destination has none beyond sizes.
    public let rules: EventRules?
    /// The keys of the product's default parameters at this service, for the plan's page.
    public let defaults: [String]

    /// Creates a service; the destination's endpoint and credentials are not used and may be made up.
    public init(_ destination: any Destination, rules: EventRules? = nil, defaults: [String] = []) {
        self.destination = destination
        self.rules = rules
        self.defaults = defaults
    }

    /// Whether it is what delivers a product's events to the service of a name.
    func takes(_ service: String, of product: String) -> Bool {
        destination.lane == LaneID(product: product, service: service)
    }

    /// The rules in words.
    var summary: String {
        let size = "at most \(destination.limits.eventBytes) bytes an event"
        let limits = rules.map { "\($0.summary); \(size)" } ?? "a name; \(size)"
        return limits + (isVendor ? "; sent by the tracker's vendor service, else `no_vendor_service`" : "")
    }

    /// Whether events reach it by the vendor service of the product's tracker.
    private var isVendor: Bool {
        let lane = destination.lane
        return ![.firebase(product: lane.product), .awesomeTracking(product: lane.product)].contains(lane)
    }
}

extension EventRules {
    /// The rules in words.
    fileprivate var summary: String {
        var parts = [
            "names \(name.summary)", "keys \(key.summary)", "at most \(maximumParameters) parameters",
            "texts of at most \(maximumTextLength) characters",
        ]
        if case .lists(let lists) = nesting {
            for (key, rule) in lists.sorted(by: { $0.key < $1.key }) {
                parts.append("at most \(rule.maximumElements) flat objects in `\(key)`, and no other nesting")
            }
        }
        return parts.filter { !$0.contains("\(Int.max)") }.joined(separator: "; ")
    }
}

extension NameRule {
    /// The rule in words.
    fileprivate var summary: String {
        var text = "of at most \(maximumLength) "
        text += alphabet == .asciiLettersDigitsUnderscores ? "letters, digits and underscores" : "characters"
        if !reserved.isEmpty { text += ", but \(reserved.count) reserved ones" }
        if !reservedPrefixes.isEmpty {
            text += ", without the prefixes " + reservedPrefixes.map { "`\($0)`" }.joined(separator: " ")
        }
        return text
    }
}
