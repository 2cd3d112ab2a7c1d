/// A promise of a seam that an implementation does not keep.
public struct ContractViolation: Error, CustomStringConvertible {
    public let description: String

    /// Throws unless a condition holds.
    package static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw ContractViolation(description: otherwise()) }
    }
}
