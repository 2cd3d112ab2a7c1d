/// Whose events are stored: a checksum of a user's id, by which they are found when they are to be erased.
package struct UserMark: Sendable, Hashable {
    /// What belongs to nobody: no user was signed in.
    package static let nobody = UserMark(rawValue: 0)

    /// The checksum.
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UserMark {
    /// The mark of a user's id: two ids with other bytes are two users.
    package init(userID: String) {
        let value = SHA256.digest(of: Array(userID.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(rawValue: max(1, value))
    }
}
