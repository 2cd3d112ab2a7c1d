import CoreTracker

/// The names that the listing's events share.
extension ParameterKey {
    /// Firebase: the list's id.
    static let itemListID: ParameterKey = "item_list_id"
    /// Firebase: the products.
    static let items: ParameterKey = "items"
    /// AwesomeTracking: the list's id.
    static let listID: ParameterKey = "list_id"
    /// AwesomeTracking: the products' ids, in the order of the list.
    static let itemIDs: ParameterKey = "item_ids"
    /// AwesomeTracking: a product's place in the list, from 0.
    static let position: ParameterKey = "position"
}
