import EventDelivery

/// A row of the file, which is one action of a user.
struct ReplayRow: Sendable, Equatable {
    /// The user's action.
    ///
    /// The raw value is its name in the file.
    enum Kind: String, CaseIterable, Sendable {
        case view
        case cart
        case removeFromCart = "remove_from_cart"
        case purchase
    }

    /// The time of the action.
    let time: Timestamp
    /// The user's action.
    let kind: Kind
    /// The product's id.
    let productID: String
    /// The category's code, or empty.
    let category: String
    /// The brand, or empty.
    let brand: String
    /// The product's price.
    let price: Double
    /// The user's id, or empty for an anonymous user.
    let user: String
    /// The session's id.
    let session: String

    /// Parses a row.
    init(_ line: [UInt8], header: ReplayHeader) throws(MalformedRow) {
        let fields = try CSVFields.split(line)
        guard fields.count == header.count else {
            throw MalformedRow("\(header.count) fields expected, \(fields.count) found")
        }
        let timeText = header.field(.eventTime, of: fields)
        guard let time = ReplayTime.parse(timeText) else { throw .invalid(.eventTime, timeText) }
        let kindText = header.field(.eventType, of: fields)
        guard let kind = Kind(rawValue: kindText) else { throw .invalid(.eventType, kindText) }
        let priceText = header.field(.price, of: fields)
        guard let price = ReplayRow.number(priceText) else { throw .invalid(.price, priceText) }
        self.time = time
        self.kind = kind
        self.price = price
        productID = try ReplayRow.text(.productID, of: fields, header)
        session = try ReplayRow.text(.userSession, of: fields, header)
        user = header.field(.userID, of: fields)
        category = header.field(.categoryCode, of: fields)
        brand = header.field(.brand, of: fields)
    }

    private static func text(
        _ column: ReplayColumn,
        of fields: [String],
        _ header: ReplayHeader
    ) throws(MalformedRow) -> String {
        let text = header.field(column, of: fields)
        guard !text.isEmpty else { throw MalformedRow("\(column.rawValue) is empty") }
        return text
    }

    /// Parses a finite decimal number.
    ///
    /// `Double` alone would also accept `nan` and `0x10`.
    private static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            byte &- UInt8(ascii: "0") < 10 || "+-.eE".utf8.contains(byte)
        }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }
}

extension MalformedRow {
    fileprivate static func invalid(_ column: ReplayColumn, _ text: String) -> MalformedRow {
        let shown = text.printable.shortened(to: 40)
        return MalformedRow(text.isEmpty ? "\(column.rawValue) is empty" : "\(column.rawValue) '\(shown)'")
    }
}
