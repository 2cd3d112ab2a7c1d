package import EventDelivery

/// A vendor's rule for ids of users.
package struct UserIDRule: Sendable, Equatable {
    /// The maximum length in UTF-16 units.
    package var maximumLength: Int
    /// The maximum size in bytes of UTF-8.
    package var maximumBytes: Int
    /// The ids without a meaning, which the vendor blocks.
    package var blocked: Set<String>
    /// Whether an id of only white space is blocked.
    package var blocksBlank: Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - maximumLength: The maximum length in UTF-16 units.
    ///   - maximumBytes: The maximum size in bytes of UTF-8.
    ///   - blocked: The ids without a meaning.
    ///   - blocksBlank: Whether an id of only white space is blocked.
    package init(
        maximumLength: Int = .max,
        maximumBytes: Int = .max,
        blocked: Set<String> = [],
        blocksBlank: Bool = false
    ) {
        self.maximumLength = maximumLength
        self.maximumBytes = maximumBytes
        self.blocked = blocked
        self.blocksBlank = blocksBlank
    }

    /// Returns the name of the rule broken by an id, or `nil` if the vendor accepts it.
    private func rule(brokenBy userID: String) -> String? {
        let size = userID.utf8.count
        // A text never has more UTF-16 units than bytes.
        if size > maximumBytes || (size > maximumLength && userID.utf16.count > maximumLength) {
            return "user_id_too_long"
        }
        let isBlocked = blocked.contains(userID) || (blocksBlank && userID.allSatisfy(\.isWhitespace))
        return isBlocked ? "user_id_invalid" : nil
    }

    /// Returns an id if the vendor accepts it.
    ///
    /// - Parameters:
    ///   - userID: The id, if there is a user.
    ///   - report: Receives the broken rule.
    package func accepted(_ userID: String?, report: (_ rule: String) -> Void) -> String? {
        guard let userID, let rule = rule(brokenBy: userID) else { return userID }
        report(rule)
        return nil
    }

    /// Checks an id, for a vendor that would give an event without its user to another profile.
    ///
    /// - Parameter userID: The id, if there is a user.
    /// - Throws: `EventEncodingError` with the broken rule.
    package func check(_ userID: String?) throws(EventEncodingError) {
        if let userID, let rule = rule(brokenBy: userID) { throw EventEncodingError(rule: rule) }
    }
}
