public import CoreTracker

/// A payment method of Dolap Lite.
public enum DLPayment: String, ParameterRepresentable, Hashable, CaseIterable {
    /// A credit or debit card.
    case card
    /// The balance that the user earned by selling.
    case wallet
    /// Cash on delivery.
    case cash
}
