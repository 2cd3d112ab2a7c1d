/// The name of a vendor.
///
/// Each vendor module adds its own constant.
///
/// `extension TrackerType { public static let braze: TrackerType = "braze" }`. Types are equal if their names are
/// equal.
public struct TrackerType: Sendable, Hashable {
    /// The vendor's name in configurations and reports.
    public let name: String

    /// Creates a type.
    ///
    /// - Parameter name: The vendor's name.
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
