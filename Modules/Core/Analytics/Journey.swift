public import CoreTracker

/// The path of a user through the app, as a sequence of steps.
public enum Journey {
    /// A step: a name and typed properties, in the product's vocabulary.
    ///
    /// A feature declares its steps once, next to its presenter:
    ///
    /// ```swift
    /// extension Journey.Event {
    ///     /// The list was opened.
    ///     public static func listOpened(_ listID: String, products: Int) -> Self {
    ///         Self(name: "listOpened", properties: ["listID": listID, "productCount": products])
    ///     }
    ///
    ///     /// A product of the list was opened.
    ///     public static func productOpened(_ product: DLProduct) -> Self {
    ///         Self(name: "productOpened", properties: ["productID": product.id, "isUsed": product.condition == .used])
    ///     }
    /// }
    /// ```
    public struct Event: Sendable, Equatable {
        /// The step's name, such as `basketOpened`.
        public var name: String
        /// The step's properties, typed and in order.
        public var parameters: EventParameters

        /// The step's properties as values that an SDK accepts: text, numbers, lists and dictionaries.
        ///
        /// A service over an SDK copies them into the SDK's dictionary. Sensitive values and numbers that are not finite
        /// are left out, and a Boolean is 1 or 0.
        public var properties: [Property] {
            let values = parameters.dictionary
            return parameters.compactMap { parameter in
                values[parameter.key.name].map { Property(name: parameter.key.name, value: $0) }
            }
        }

        /// Creates a step.
        ///
        /// - Parameters:
        ///   - name: The step's name, such as `basketOpened`.
        ///   - properties: The step's properties.
        public init(name: String, properties: EventParameters = [:]) {
            self.name = name
            parameters = properties
        }

        /// Creates a step from plain values, such as `["productID": product.id]`.
        ///
        /// - Parameters:
        ///   - name: The step's name, such as `basketOpened`.
        ///   - properties: The step's properties.
        @_disfavoredOverload
        public init(name: String, properties: PlainParameters) {
            self.init(name: name, properties: EventParameters(properties))
        }
    }

    /// A property of a step, as an SDK accepts it.
    public struct Property: Sendable {
        /// The property's name.
        public let name: String
        /// The value: a `String`, an `Int`, a `Double`, an array or a dictionary of these.
        public let value: any Sendable
    }
}

/// A service that records the steps of a user's path through the app.
///
/// Contract: `send` may be called from inside another call of `send`. It returns without waiting for the disk or the
/// network, and does not throw. A `Sendable` service may be called from any thread. A service over an SDK that is not
/// `Sendable` stays on the actor that creates it, such as the main actor of a presenter.
public protocol AnalyticsService {
    /// Records a step.
    ///
    /// - Parameter event: The step.
    func send(event: Journey.Event)
}
