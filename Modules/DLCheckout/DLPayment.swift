public import CoreTracker

/// How a user of Dolap Lite pays.
public enum DLPayment: String, ParameterRepresentable, Hashable, CaseIterable {
    /// A credit or debit card.
    case card
    /// The money earned by selling.
    case wallet
    /// Cash, to the courier.
    case cash
}
