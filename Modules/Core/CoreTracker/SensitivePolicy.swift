/// A rule for passing a sensitive value to a service.
public enum SensitivePolicy: Sendable, Hashable {
    /// A use of data by a service, which the user can allow or deny.
    ///
    /// It has the same name as the purpose of the service's destination.
    public struct Purpose: Sendable, Hashable {
        /// The purpose's name.
        public let name: String

        /// Creates a purpose.
        ///
        /// - Parameter name: The purpose's name.
        public init(_ name: String) {
            self.name = name
        }

        /// Measurement of the use of the product.
        public static let analytics = Purpose("analytics")
        /// Campaigns that address the user.
        public static let marketing = Purpose("marketing")
    }

    /// The value is never sent.
    ///
    /// The event's code still shows that the value exists.
    case drop
    /// The value is sent as 64 hexadecimal digits: its HMAC-SHA-256 with the app's salt as the key.
    ///
    /// Equal values have equal digits under the same salt. If the app has no salt, nothing is sent.
    case hash
    /// The value is sent unchanged to a service with this purpose, and not at all to any other service.
    case pass(Purpose)
}
