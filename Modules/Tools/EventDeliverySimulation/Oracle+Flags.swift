import CoreTracker

/// Feature flags, which belong to a user.
extension Oracle {
    /// The users, sessions and variants with an exposure in a life.
    struct Exposure: Hashable {
        let life: Int
        let user: String
        let session: Int
        let variant: Int
    }
}

extension Oracle.State {
    /// Checks a variant after it was shown: it is a default parameter, and its exposure was tracked once.
    ///
    /// - Parameters:
    ///   - variant: The variant.
    ///   - scope: The scope, or `nil` for the engine's user.
    ///   - found: The default parameter.
    ///   - count: The number of exposures tracked by the call.
    mutating func showed(_ variant: Int, _ scope: Int?, found: ParameterValue?, exposures count: Int) {
        let user = scope.map(Scopes.user) ?? user
        if found != .string("\(variant)") { report(.flags, "\(String(describing: found)) instead of \(variant)") }
        guard let session = currentSession(of: scope) else { return }
        let exposure = Oracle.Exposure(life: life, user: user, session: session, variant: variant)
        let isNew = exposures.insert(exposure).inserted
        if count != (isNew ? 1 : 0) { report(.flags, "\(count) exposures to \(variant) of \(user)") }
    }
}
