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

/// The error for a malformed row.
struct MalformedRow: Error, Equatable {
    /// The reason, for the user.
    let reason: String

    /// Creates an error.
    init(_ reason: String) {
        self.reason = reason
    }
}

/// A product of the demo.
///
/// The raw value is its prefix.
enum Product: String, CaseIterable, Sendable {
    case dolapLite = "DL"
    case trendyol = "TY"

    /// The product's name.
    var name: String {
        switch self {
        case .dolapLite: "Dolap Lite"
        case .trendyol: "Trendyol"
        }
    }

    /// Returns the product for a session of a clickstream, by a hash of its id (FNV-1a) that is the same in every run.
    static func of(session: String) -> Product {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in session.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The upper bits of a short text's hash hardly vary. Multiply to spread the lower bits over them.
        hash = (hash ^ hash >> 33) &* 0x9E37_79B9_7F4A_7C15
        return hash >> 63 == 0 ? .dolapLite : .trendyol
    }
}

/// A parser for the times of the file, such as `2019-10-01 00:00:00 UTC`.
enum ReplayTime {
    /// Parses a time.
    ///
    /// The zone is optional and must be UTC. Returns `nil` for any other text.
    static func parse(_ text: String) -> Timestamp? {
        var bytes = Array(text.utf8)
        if bytes.suffix(4).elementsEqual(" UTC".utf8) { bytes.removeLast(4) }
        guard bytes.count == 19, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: " "),
            bytes[13] == colon, bytes[16] == colon,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...days(of: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Int(Timestamp.day(ofYear: Int64(year), month: Int64(month), day: Int64(day)))
        return Timestamp(microseconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000)
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Optional(0)) { sum, byte in
            let digit = byte &- UInt8(ascii: "0")
            return digit < 10 ? sum.map { $0 * 10 + Int(digit) } : nil
        }
    }

    private static func days(of month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }
}
