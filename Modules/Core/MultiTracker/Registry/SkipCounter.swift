import Locks

/// A lock-free counter of the calls and events that trackers did not receive, by reason.
struct SkipCounter: ~Copyable, Sendable {
    private let notRegistered = Atomic<Int>(0)
    private let disabled = Atomic<Int>(0)
    private let noCapability = Atomic<Int>(0)
    private let noConsent = Atomic<Int>(0)

    /// Adds to the count of a reason.
    ///
    /// `notAddressed` is not a loss and is not counted.
    func add(_ reason: TrackerSkipReason, count: Int = 1) {
        switch reason {
        case .notRegistered: notRegistered.wrappingAdd(count, ordering: .relaxed)
        case .disabled: disabled.wrappingAdd(count, ordering: .relaxed)
        case .noCapability: noCapability.wrappingAdd(count, ordering: .relaxed)
        case .noConsent: noConsent.wrappingAdd(count, ordering: .relaxed)
        case .notAddressed: break
        }
    }

    /// The counts that are not zero.
    var counts: [TrackerSkipReason: Int] {
        let counts: [TrackerSkipReason: Int] = [
            .notRegistered: notRegistered.load(ordering: .relaxed),
            .disabled: disabled.load(ordering: .relaxed),
            .noCapability: noCapability.load(ordering: .relaxed),
            .noConsent: noConsent.load(ordering: .relaxed),
        ]
        return counts.filter { $0.value != 0 }
    }
}
