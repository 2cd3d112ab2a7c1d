public import CoreTracker

/// Operations on the present value of a trait, which the service applies:
///
/// ```swift
/// engine.user.setTraits(["first_plan": .setOnce("free"), "orders": .increment(), "tags": .append("vip")])
/// ```
///
/// An update may arrive twice. Each service therefore gets only the operations that have the same result then, and
/// counts the others as `operation_not_supported`; the page of the module has the table. In contrast to a value, an
/// operation is sent at each call. In one literal, and in traits that are merged, the last entry of a name counts.
extension ParameterValue {
    /// Sets a trait that has no value yet.
    ///
    /// - Parameter value: The value.
    /// - Returns: The operation, as the value of a trait.
    public static func setOnce(_ value: ParameterValue) -> ParameterValue { TraitOperation.setOnce.value(value) }

    /// Adds to a number.
    ///
    /// A trait without a value counts as 0.
    ///
    /// - Parameter amount: The amount, which can be negative.
    /// - Returns: The operation, as the value of a trait.
    public static func increment(by amount: Int = 1) -> ParameterValue { TraitOperation.increment.value(.int(amount)) }

    /// Adds elements at the end of a list, which has each element once.
    ///
    /// An element that is in the list moves.
    ///
    /// - Parameter elements: The elements.
    /// - Returns: The operation, as the value of a trait.
    public static func append(_ elements: ParameterValue...) -> ParameterValue {
        TraitOperation.append.value(.array(ParameterList(elements)))
    }

    /// Removes elements of a list.
    ///
    /// - Parameter elements: The elements.
    /// - Returns: The operation, as the value of a trait.
    public static func remove(_ elements: ParameterValue...) -> ParameterValue {
        TraitOperation.remove.value(.array(ParameterList(elements)))
    }
}
