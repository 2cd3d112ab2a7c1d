public import CoreTracker

extension Journey {
    /// One step of a user's way: a name and typed properties, in the product's own words.
    ///
    /// A feature declares its steps once, beside it:
    /// `extension Journey.Event { static func basketOpened(items: Int) -> Self { … } }`.
    public struct Event: Sendable, Hashable {
        /// What happened, in any spelling such as `Basket Opened`.
        public var name: String
        /// What is known about it.
        public var properties: EventParameters

        /// Creates a step.
        public init(name: String, properties: EventParameters = [:]) {
            self.name = name
            self.properties = properties
        }
    }
}
