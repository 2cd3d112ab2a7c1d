/// An error that describes how an implementation violates the contract of a protocol.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String

    /// Checks a condition.
    ///
    /// - Parameters:
    ///   - holds: Whether the implementation fulfills the contract.
    ///   - otherwise: The description of the violation, evaluated only if there is one.
    /// - Throws: A ``ContractViolation`` if the condition is false.
    package static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw ContractViolation(description: otherwise()) }
    }
}
