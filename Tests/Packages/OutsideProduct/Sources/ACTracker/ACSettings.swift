public import CoreTracker

/// The settings of Acme's app that can change while it runs.
public struct ACSettings: Sendable, Hashable {
    /// The country that the app serves: two upper-case letters (ISO 3166-1).
    public var country: String

    /// Creates settings.
    ///
    /// - Parameter country: The country that the app serves: two upper-case letters (ISO 3166-1).
    public init(country: String = "TR") {
        self.country = country
    }

    /// The settings of the running app.
    public static let current = ProductSettings(ACSettings()) { $0.awesomeTrackingDefaults }
}
