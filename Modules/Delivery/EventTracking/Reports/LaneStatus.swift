/// The state of a lane, as last published by the store.
package struct LaneStatus: Sendable, Equatable {
    /// Whether this run has a destination for the lane.
    package var hasDestination: Bool
    package var consent: Consent
    /// The lane's pause, if any.
    package var pause: LanePause?
    /// Whether the last failure and the wait for it are those of an earlier run, because this run has no response yet.
    package var isFailureOfEarlierRun = false
    /// The app's reasons for holding the lane.
    package var holds: Set<HoldReason> = []
    /// The end of the lane's wait, if any.
    package var notBefore: MonotonicInstant?
    /// The sequence number of the oldest unsettled event, or `nil` if all events are settled.
    package var firstUnsettled: Int64?
    /// The number of events that await consent.
    package var eventsAwaitingConsent = 0
    /// The sequence number of the next stored event.
    package var nextNumber: Int64 = 1
    /// The ledger when the queue file was opened last.
    package var opening = LaneLedger()
    /// The reason if the engine waits for its directory, otherwise `nil`.
    package var waitsForDirectory: OutboxError?

    package init(hasDestination: Bool = false, consent: Consent = .granted) {
        self.hasDestination = hasDestination
        self.consent = consent
    }
}

/// A pause in which a lane only probes.
package struct LanePause: Sendable, Equatable {
    package let reason: PauseReason
    /// The start of the pause, or `nil` if it is unknown.
    package let since: Timestamp?
    /// Whether an earlier run has paused the lane and this run has no response yet.
    package let isOfEarlierRun: Bool

    package init(reason: PauseReason, since: Timestamp?, isOfEarlierRun: Bool) {
        self.reason = reason
        self.since = since
        self.isOfEarlierRun = isOfEarlierRun
    }
}

extension LaneStatus {
    /// Whether the lane waits for the app or for its user.
    package var isHeld: Bool { consent != .granted || !holds.isEmpty }

    /// Returns the lane's outcome for a flush.
    ///
    /// - Parameters:
    ///   - target: The sequence number below which events must be settled, or `nil` if they are not stored yet.
    ///   - isOpen: Whether the engine is open.
    ///   - deadline: The end of the flush.
    package func outcome(target: Int64?, isOpen: Bool, deadline: MonotonicInstant) -> FlushReport.Outcome {
        if let target, isSettled(target) { return .drained }
        guard isOpen else { return .notOpen }
        if let waitsForDirectory { return .storageUnavailable(waitsForDirectory) }
        guard hasDestination else { return .noDestination }
        guard consent == .granted else { return .withoutConsent }
        if !holds.isEmpty { return .onHold(holds) }
        if let pause { return .paused(pause.reason) }
        if let notBefore, notBefore > deadline { return .waiting }
        return .timedOut
    }

    private func isSettled(_ target: Int64) -> Bool {
        // If neither disk nor memory has capacity, events stay in the buffer without a sequence number.
        guard nextNumber >= target, waitsForDirectory == nil else { return false }
        return firstUnsettled.map { $0 >= target } ?? true
    }
}

/// A reason for holding lanes, as a stable name in snake case.
///
/// A held lane sends nothing. The constants are the conditions observed by `AppDelivery` of AppTracking. You can add
/// your own, such as `HoldReason("roaming")`.
public struct HoldReason: Sendable, Hashable {
    /// The stable name.
    public let name: String

    /// Creates a reason.
    ///
    /// - Parameter name: The stable name.
    public init(_ name: String) {
        self.name = name
    }

    /// The network is metered, such as a cellular network or a personal hotspot.
    public static let expensiveNetwork = HoldReason("expensive_network")
    /// The user has turned on Low Data Mode for the network.
    public static let constrainedNetwork = HoldReason("constrained_network")
    /// The user has turned on Low Power Mode.
    public static let lowPower = HoldReason("low_power")
    /// The receiver is under maintenance.
    public static let maintenance = HoldReason("maintenance")
}

extension HoldReason: Comparable, CustomStringConvertible {
    public var description: String { name }

    public static func < (left: HoldReason, right: HoldReason) -> Bool { left.name < right.name }
}
