/// The interface to the parts of an open engine, which are in the module that stores and sends.
///
/// Each method first waits until the engine is open. A method with a result of the storage also returns it after
/// ``stop()``.
package protocol OpenEngine: AnyObject, Sendable {
    /// The store, after the engine is open.
    var openedStore: any EngineStore { get async }
    /// Stops everything. Events that are left stay on disk.
    func stop() async
    /// Cancels the requests in flight, stores the events that were tracked before the call, and closes the files.
    func suspendStorage() async
    /// Stores and applies a decision and all earlier ones, and cancels requests that may contain denied events.
    ///
    /// The events that a denial covers are deleted.
    ///
    /// - Parameter decision: The caller's decision.
    /// - Throws: `OutboxError.notStored` or `notYetClean`.
    func apply(_ decision: PrivacyDecision) async throws(OutboxError)
    /// Stores and applies an erasure and all earlier decisions, and cancels requests that may contain erased events.
    ///
    /// The events that the erasure covers are deleted.
    ///
    /// - Parameter decision: The erasure.
    /// - Returns: The number of erased stored events.
    /// - Throws: `OutboxError.notStored` or `notYetClean`.
    func erase(_ decision: PrivacyDecision) async throws(OutboxError) -> Int
}
