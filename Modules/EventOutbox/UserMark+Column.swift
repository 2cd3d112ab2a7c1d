import EventBuffer

// In a file the mark stands behind the batch key, in the same column: a unit separator and 16 hexadecimal digits. What
// earlier versions have stored has none.
extension UserMark {
    private static let separator = UInt8(0x1F)
    private static let length = 16

    /// The text of a batch key with the mark behind it.
    static func column(key: String, user: UserMark?) -> String {
        guard let user else { return key }
        return key + "\u{1F}" + user.rawValue.hexadecimal
    }

    /// Takes such a text apart.
    static func parts(of column: String) -> (key: String, user: UserMark?) {
        let utf8 = column.utf8
        guard let end = utf8.index(utf8.endIndex, offsetBy: -length - 1, limitedBy: utf8.startIndex),
            utf8[end] == separator, let rawValue = UInt64(column[utf8.index(after: end)...], radix: 16)
        else { return (column, nil) }
        return (String(column[..<end]), UserMark(rawValue: rawValue))
    }
}
