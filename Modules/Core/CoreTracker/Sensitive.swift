/// A personal value, such as an address, that reaches a service only as a policy allows.
///
/// It is not a ``ParameterValue``, and the wrapped value is not public. ``EventParameters/sensitive(_:as:_:)`` makes it
/// a parameter with a ``SensitivePolicy``. The delivery engine applies the policy before anything is written. Printed,
/// logged, interpolated or reflected, it does not reveal the value.
///
/// ```swift
/// struct NewsletterOrdered: CoreTrackable {
///     let mail: Sensitive<String>
///
///     var services: [EventService] {
///         AwesomeTrackingEvent("newsletter_ordered", .sensitive(mail, as: "mail", .hash))
///     }
/// }
/// ```
public struct Sensitive<Value: ParameterRepresentable>: Sendable {
    /// The wrapped value, which only the policy may read.
    let value: Value

    /// Wraps a value.
    ///
    /// - Parameter value: The personal value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Sensitive: Equatable where Value: Equatable {}

extension Sensitive: Hashable where Value: Hashable {}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { "‹redacted›" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Sensitive: SensitiveText {
    package func occurs(in text: String) -> Bool {
        guard let own = value.parameterValue.text, !own.isEmpty else { return false }
        return text.contains(own)
    }
}
