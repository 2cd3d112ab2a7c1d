/// A circuit breaker, which opens after several failures and closes after several acknowledgements.
struct CircuitBreaker: Equatable {
    private typealias Limits = RetryState.Limits

    /// The results of the last attempts, with the newest in the lowest bit.
    ///
    /// A set bit is a failure.
    private var window: UInt32 = 0
    private var attempts = 0
    /// The number of acknowledgements that are still needed to close an open breaker.
    private var acknowledgementsToClose = 0

    /// Whether the breaker is open or half open.
    var isOpen: Bool { acknowledgementsToClose > 0 }

    mutating func open() { acknowledgementsToClose = Limits.breakerAcknowledgements }

    /// Records an acknowledgement.
    mutating func succeeded() {
        record(failure: false)
        if isOpen { acknowledgementsToClose -= 1 }
    }

    /// Records a failure.
    ///
    /// - Parameter failures: The number of consecutive failures, including this one.
    mutating func failed(consecutively failures: Int) {
        record(failure: true)
        if !isOpen, failures >= Limits.breakerFailures || hasFailedHalf { open() }
    }

    private mutating func record(failure: Bool) {
        window = window << 1 | (failure ? 1 : 0)
        attempts = min(attempts + 1, Limits.breakerWindow)
    }

    /// Whether half of the last attempts failed.
    private var hasFailedHalf: Bool {
        guard attempts >= Limits.breakerWindow else { return false }
        return (window & ((1 << UInt32(Limits.breakerWindow)) - 1)).nonzeroBitCount * 2 >= Limits.breakerWindow
    }
}
