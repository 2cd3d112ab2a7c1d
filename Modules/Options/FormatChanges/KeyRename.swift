public import CoreTracker
public import EventDelivery

/// A middleware that renames parameters, including in nested objects, for the time of a migration.
///
/// All parameters are renamed at the same time, so two keys can be swapped. If an event already has a parameter under
/// the new key, its own or a default one, and that parameter is not renamed itself, it stays, and the value of the old
/// one is lost and counted. The name of a removed trait is renamed too, unless the update sets a trait under the new
/// name. Of a group, only the traits are renamed, and of an alias nothing.
public struct KeyRename: EventMiddleware {
    public let name: String
    private let changes: [ParameterKey: KeyChange]

    /// Creates a middleware that renames parameters.
    ///
    /// - Parameters:
    ///   - names: The new key for each old key.
    ///   - keepsOld: Whether events have the value under both keys, until all queries use the new one.
    ///   - name: The middleware's name.
    public init(_ names: [ParameterKey: ParameterKey], keepsOld: Bool = false, name: String = "key_rename") {
        changes = names.filter { $0.key != $0.value }.mapValues { keepsOld ? .copy(to: $0) : .rename(to: $0) }
        self.name = name
    }

    public func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.rewriting(changes)
    }
}
