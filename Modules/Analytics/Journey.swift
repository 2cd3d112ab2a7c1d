public import CoreTracker

/// The path of a user through the app, as a sequence of steps.
public enum Journey {
    /// One step: a name and typed properties, in the product's own words.
    ///
    /// A feature declares its steps once, next to its presenter:
    /// `extension Journey.Event { static func basketOpened(items: Int) -> Self { … } }`.
    public struct Event: Sendable, Hashable {
        /// The step's name, such as `basketOpened`.
        public var name: String
        /// The step's properties.
        public var properties: EventParameters

        /// Creates a step.
        public init(name: String, properties: EventParameters = [:]) {
            self.name = name
            self.properties = properties
        }
    }
}
