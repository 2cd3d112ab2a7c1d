/// An operation on the present value of a user's trait, as an object with one member.
///
/// The module ProfileUpdates writes these values. A service sends an operation in its own form, or refuses it.
package enum TraitOperation: String, Sendable {
    case setOnce = "$setOnce"
    case increment = "$increment"
    case append = "$append"
    case remove = "$remove"

    /// The rule broken by an operation that a service lacks.
    package static let unsupportedRule = "operation_not_supported"

    /// Returns the operation as the value of a trait.
    package func value(_ operand: ParameterValue) -> ParameterValue { .object([ParameterKey(rawValue): operand]) }
}

extension ParameterValue {
    /// The operation that this value of a trait is, with its operand, or `nil` for a value to set.
    package var traitOperation: (kind: TraitOperation, operand: ParameterValue)? {
        guard case .object(let members) = self, members.count == 1, let member = members.first,
            let kind = TraitOperation(rawValue: member.key.name)
        else { return nil }
        return (kind, member.value)
    }
}
