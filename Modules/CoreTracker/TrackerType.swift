/// The name of a vendor, open to every module: a vendor module adds its own constant.
///
/// `extension TrackerType { public static let braze: TrackerType = "braze" }`. Types are equal when their names are.
public struct TrackerType: Sendable, Hashable {
    /// The vendor's name, as configuration and reports spell it.
    public let name: String

    /// Creates a type from the vendor's name.
    public init(_ name: String) {
        self.name = name
    }
}

extension TrackerType: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        name = value
    }
}

extension TrackerType: CustomStringConvertible {
    public var description: String { name }
}
