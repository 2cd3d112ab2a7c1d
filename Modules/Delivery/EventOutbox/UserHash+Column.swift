import EventBuffer

// In a file, the user's hash follows the batch key in the same column, after a unit separator, as 16 hexadecimal
// digits. Rows of earlier versions have no hash.
extension UserHash {
    private static let separator = UInt8(0x1F)
    private static let length = 16

    /// Returns the column's text for a batch key and a user's hash.
    static func column(key: String, user: UserHash?) -> String {
        guard let user else { return key }
        return key + "\u{1F}" + user.rawValue.hexadecimal
    }

    /// Splits the column's text into the batch key and the user's hash.
    static func parts(of column: String) -> (key: String, user: UserHash?) {
        let utf8 = column.utf8
        guard let end = utf8.index(utf8.endIndex, offsetBy: -length - 1, limitedBy: utf8.startIndex),
            utf8[end] == separator, let rawValue = UInt64(column[utf8.index(after: end)...], radix: 16)
        else { return (column, nil) }
        return (String(column[..<end]), UserHash(rawValue: rawValue))
    }
}
