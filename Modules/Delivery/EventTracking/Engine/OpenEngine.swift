/// The interface to an open engine, which the module that stores and sends implements.
///
/// Each method first waits until the engine is open. Methods that return a result of the storage also do so after
/// ``stop(by:)``.
package protocol OpenEngine: AnyObject, Sendable {
    /// The store, after the engine is open.
    var openedStore: any EngineStore { get async }
    /// Stops everything. Remaining events stay on disk.
    ///
    /// A pending deletion of denied or erased events continues until the deadline.
    ///
    /// - Parameter deadline: The end of a deletion. The first call's deadline is used.
    func stop(by deadline: MonotonicInstant) async
    /// Cancels the requests in flight, stores the events tracked before the call, and closes the files.
    func suspendStorage() async
    /// Stores and applies a decision and all earlier ones, and cancels requests that may contain covered events.
    ///
    /// The events covered by a denial or an erasure are deleted.
    ///
    /// - Parameter decision: The caller's decision, which is in effect.
    /// - Returns: The number of stored events erased by an erasure.
    /// - Throws: `DecisionError`.
    func carryOut(_ decision: PrivacyDecision) async throws(DecisionError) -> Int
}
