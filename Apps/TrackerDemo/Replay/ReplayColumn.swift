/// A column of the REES46 data set.
enum ReplayColumn: String, CaseIterable, Sendable {
    case eventTime = "event_time"
    case eventType = "event_type"
    case productID = "product_id"
    case categoryID = "category_id"
    case categoryCode = "category_code"
    case brand
    case price
    case userID = "user_id"
    case userSession = "user_session"

    /// Whether every row must have a value in this column.
    var isNeeded: Bool {
        switch self {
        case .eventTime, .eventType, .productID, .price, .userID, .userSession: true
        case .categoryID, .categoryCode, .brand: false
        }
    }
}
