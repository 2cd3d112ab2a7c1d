/// A hash of a user's id, by which an erasure finds the user's stored events.
package struct UserHash: Sendable, Hashable {
    /// The value for events tracked while no user was signed in.
    package static let nobody = UserHash(rawValue: 0)

    /// The first eight bytes of the id's SHA-256, or 0 for no user.
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

extension UInt64 {
    /// The integer as 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UserHash {
    /// Creates the hash of a user's id.
    ///
    /// Two ids with different bytes are two users.
    ///
    /// - Parameter userID: The user's id.
    package init(userID: String) {
        let value = SHA256.digest(of: Array(userID.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(rawValue: max(1, value))
    }
}
