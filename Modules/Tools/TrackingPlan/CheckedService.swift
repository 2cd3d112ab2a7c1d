import CoreTracker
public import EventDelivery
public import VendorRules

/// A service with whose rules events are checked, represented by the destination that delivers to it.
///
/// ```swift
/// let ga4 = FirebaseDestination(product: "AC", configuration: firebase)
/// let rows = try ClickHouseConfiguration(endpoint: Endpoint("https://localhost"))
/// let clickHouse = ClickHouseDestination(product: "AC", configuration: rows)
/// let services = [CheckedService(ga4, rules: firebase.rules), CheckedService(clickHouse)]
/// ```
public struct CheckedService: Sendable {
    /// The destination, which determines the product and the name of the service.
    public let destination: any Destination
    /// The vendor's validation rules, or `nil` if the destination only limits sizes.
    public let rules: EventRules?
    /// The keys of the product's default parameters at this service.
    public let defaults: [String]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - destination: The destination. Its endpoint and credentials are not used and may be placeholders.
    ///   - rules: The vendor's validation rules, for the plan's text.
    ///   - defaults: The keys of the product's default parameters at this service, for the plan's page.
    public init(_ destination: any Destination, rules: EventRules? = nil, defaults: [String] = []) {
        self.destination = destination
        self.rules = rules
        self.defaults = defaults
    }

    /// Returns whether this service delivers a product's events for a service name.
    func accepts(_ service: String, of product: String) -> Bool {
        destination.lane == LaneID(product: product, service: service)
    }

    /// The rules as text.
    var summary: String {
        let size = "at most \(destination.limits.eventBytes) bytes an event"
        let limits = rules.map { "\($0.summary); \(size)" } ?? "a name; \(size)"
        return limits + (isVendor ? "; sent by the tracker's vendor service, else `no_vendor_service`" : "")
    }

    /// Whether the vendor service of the product's tracker sends its events.
    var isVendor: Bool {
        let lane = destination.lane
        return ![.firebase(product: lane.product), .awesomeTracking(product: lane.product)].contains(lane)
    }
}

extension EventRules {
    /// The rules as text.
    fileprivate var summary: String {
        var parts = [
            "names \(name.summary)", "keys \(key.summary)", "at most \(maximumParameters) parameters",
            "texts of at most \(maximumStringLength) characters",
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
    /// The rule as text.
    fileprivate var summary: String {
        var text = "of at most \(maximumLength) "
        text += alphabet == .asciiLettersDigitsUnderscores ? "letters, digits and underscores" : "characters"
        if maximumBytes < .max { text += " and \(maximumBytes) bytes" }
        if !reserved.isEmpty { text += ", but \(reserved.count) reserved ones" }
        if !reservedPrefixes.isEmpty {
            text += ", without the prefixes " + reservedPrefixes.map { "`\($0)`" }.joined(separator: " ")
        }
        return text
    }
}
