/// An error of a consent decision or an erasure, with the cause in the storage.
public enum DecisionError: Error, Equatable, Sendable {
    /// The decision or the erasure is not stored.
    ///
    /// It is in effect until the process ends. The engine stores the decision as soon as possible. If the process ends
    /// before that, repeat the call at the next start. With ``OutboxError/beyondLimit``, the call has no effect.
    case notStored(OutboxError)
    /// The decision or the erasure is stored and in effect, but some of the deleted events' bytes are still on disk, or
    /// the file for the app's extensions could not be written.
    ///
    /// The cause is ``OutboxError/full`` if the disk has no space for the log of a step. The rest is done as soon as
    /// possible, also at a later start.
    case notYetClean(OutboxError)
}
