/// A check of one rule in the contract of a protocol, such as `CoreTracker` or `Destination`.
///
/// Run each check of a contract as a separate test on a new subject:
///
/// ```swift
/// @Test(arguments: TransportContract.checks)
/// func `keeps the contract of a transport`(check: TransportContract.Check) async throws {
///     try await check.run(CurlTransport())
/// }
/// ```
///
/// A failed check throws an error that describes the violation, which works in Swift Testing and in XCTest.
public struct ContractCheck<Subject>: Sendable, CustomStringConvertible {
    /// The rule as a sentence.
    public let description: String
    private let body: @Sendable (Subject) async throws -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - description: The rule as a sentence.
    ///   - body: Throws a ``ContractViolation`` if a subject violates the rule.
    package init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Runs the check.
    ///
    /// - Parameter subject: The implementation to check, which no other check has used.
    /// - Throws: A ``ContractViolation`` if the subject violates the rule, or an error of the subject's receiver.
    public func run(_ subject: Subject) async throws {
        try await body(subject)
    }
}

/// An error that describes each violation of a contract or of a rule.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error.
    ///
    /// - Parameter description: The description of the violations.
    package init(_ description: String) {
        self.description = description
    }
}

/// Checks a condition of a contract.
///
/// - Parameters:
///   - holds: Whether the implementation fulfills the contract.
///   - otherwise: The description of the violation, evaluated only if there is one.
/// - Throws: A ``ContractViolation`` if the condition is false.
package func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !holds { throw ContractViolation(otherwise()) }
}
