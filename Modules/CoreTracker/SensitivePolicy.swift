/// How a sensitive value reaches a service.
public enum SensitivePolicy: Sendable, Hashable {
    /// What a service uses its data for, as the user agrees to it or refuses it.
    ///
    /// It is the purpose of the service's destination, by its name.
    public struct Purpose: Sendable, Hashable {
        /// The purpose's name.
        public let name: String

        /// Creates a purpose from its name.
        public init(_ name: String) {
            self.name = name
        }

        /// Measuring how the product is used.
        public static let analytics = Purpose("analytics")
        /// Addressing the user with campaigns.
        public static let marketing = Purpose("marketing")
    }

    /// Not at all: the event says that the value exists in the app, and stays without it.
    case drop
    /// As 64 hexadecimal digits that are the same for the same value and salt, HMAC-SHA-256 under the app's salt.
    ///
    /// An app without a salt sends nothing.
    case hash
    /// As it is, to a service of the purpose; to any other not at all.
    case pass(Purpose)
}
