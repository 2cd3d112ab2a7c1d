import Synchronization

/// Whether a lane's purpose is refused: written under the lock of the intake's lanes, read by callers without it.
final class DenialFlag: Sendable {
    private let raised = Atomic<Bool>(false)

    /// Whether the purpose is refused now.
    var isRaised: Bool {
        get { raised.load(ordering: .acquiring) }
        set { raised.store(newValue, ordering: .releasing) }
    }
}
