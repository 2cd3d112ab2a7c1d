public import CoreTracker

/// The state of a lane.
public struct LaneStatistics: Sendable, Equatable {
    /// The lane's name.
    public let id: LaneID
    /// The lane's ledger since its outbox was created.
    public let ledger: LaneLedger
    /// The lane's ledger since this engine was opened.
    public let ledgerSinceOpening: LaneLedger
    /// The number of events from earlier runs still pending when this engine was opened.
    public let pendingAtOpen: Int
    /// The time since the oldest queued event was stored, or `nil` if none is queued.
    ///
    /// Events awaiting consent do not count.
    public let oldestQueuedAge: Duration?
    /// The time of the receiver's last acknowledgement, if any.
    public let lastSuccess: Timestamp?
    /// The reason for the lane's pause, in which it only probes the receiver, or `nil` if the lane is not paused.
    public let pauseReason: PauseReason?
    /// The start of the pause, in this run or an earlier one, or `nil` if the lane is not paused.
    public let pausedSince: Timestamp?
    /// The app's reasons for holding the lane, or an empty set.
    public let holdReasons: Set<HoldReason>
    /// Whether an earlier run has paused the lane and this run has no response yet.
    public let isPausedByEarlierRun: Bool
    /// The purpose of the lane's events, or `nil` if no destination has set one.
    public let purpose: ConsentPurpose?
    /// The user's decision about ``purpose``.
    public let consent: Consent
    /// Whether this run has a destination for the lane.
    public let hasDestination: Bool
    /// The number of pending events that await consent.
    public let eventsAwaitingConsent: Int
    /// The time since the oldest request in flight started, or `nil` if there is none.
    public let requestAge: Duration?
    /// The time until the lane tries again, or `nil` if it does not wait.
    public let nextAttempt: Duration?
    /// The time until the lane sends its stored events by its schedule, or `nil` if they do not wait for it.
    public let nextSending: Duration?
    /// The last failure, in this run or an earlier one.
    ///
    /// It is `nil` if the receiver has acknowledged a batch since then, or if the lane waited for another address or
    /// credential in an earlier run. A clock failure remains while the device's clock and the receiver's differ.
    public let lastFailure: LaneFailure?
    /// The reason if the storage is unavailable for now, otherwise `nil`.
    public let storageFailure: OutboxError?
    /// The requests finished since this engine was opened.
    public let requests: RequestStatistics
    /// The time of the statistics, or `nil` if the engine was not open.
    package let now: Timestamp?
    /// The host and port of the oldest request in flight, or an empty string if there is none.
    package let receiver: String
    /// Whether this run has not seen ``lastFailure``.
    package let isFailureOfEarlierRun: Bool
    /// The facts around the lane, for its explanation.
    package let surroundings: LaneSurroundings

    /// The time after which a request without a response, or an event without another cause, counts as delayed.
    package static let patience = Duration.seconds(5)

    package init(
        id: LaneID,
        ledger: LaneLedger,
        opening: LaneLedger = LaneLedger(),
        oldestQueuedAge: Duration? = nil,
        lastSuccess: Timestamp? = nil,
        purpose: String = "",
        status: LaneStatus = LaneStatus(),
        nextAttempt: Duration? = nil,
        nextSending: Duration? = nil,
        lastFailure: LaneFailure? = nil,
        request: (age: Duration, receiver: String)? = nil,
        requests: RequestStatistics = RequestStatistics(),
        storageFailure: OutboxError? = nil,
        now: Timestamp? = nil,
        surroundings: LaneSurroundings = LaneSurroundings()
    ) {
        self.id = id
        self.ledger = ledger
        ledgerSinceOpening = ledger.since(opening)
        pendingAtOpen = opening.pending
        self.oldestQueuedAge = oldestQueuedAge
        self.lastSuccess = lastSuccess
        pauseReason = status.pause?.reason
        pausedSince = status.pause?.since
        isPausedByEarlierRun = status.pause?.isOfEarlierRun ?? false
        isFailureOfEarlierRun = status.isFailureOfEarlierRun
        holdReasons = status.holds
        self.purpose = purpose.isEmpty ? nil : ConsentPurpose(purpose)
        consent = status.consent
        hasDestination = status.hasDestination
        eventsAwaitingConsent = status.eventsAwaitingConsent
        requestAge = request?.age
        receiver = request?.receiver ?? ""
        self.requests = requests
        self.nextAttempt = nextAttempt
        self.nextSending = nextSending
        self.lastFailure = lastFailure
        self.storageFailure = storageFailure
        self.now = now
        self.surroundings = surroundings
    }
}

/// The facts around a lane, for its explanation.
package struct LaneSurroundings: Sendable, Equatable {
    /// The state of the engine.
    package enum Phase: Sendable, Hashable {
        /// The app has not opened the engine.
        case unopened
        case open
        /// The engine is closed, and remaining events stay stored.
        case closed
    }

    /// The state of the engine.
    package var phase: Phase
    /// The path of the engine's directory, or an empty string.
    package var directory = ""
    /// Whether another engine of this process uses the directory.
    package var isUsedByThisProcess = false
    /// The names of the lanes with a destination.
    package var served: [String] = []
    /// The names of registered vendors, and of vendors with a destination.
    package var vendors: [String] = []

    package init(phase: Phase = .open) { self.phase = phase }
}

/// The number and the duration of a lane's requests.
///
/// Cancelled requests do not count, except for one that had waited for at least five seconds when the engine closed.
public struct RequestStatistics: Sendable, Equatable {
    /// The number of requests.
    public private(set) var count = 0
    /// The number of requests without a response, or with one that refuses or postpones the whole batch.
    public private(set) var failed = 0
    /// The number of acknowledgements without details: their bodies were too long, compressed or not complete.
    ///
    /// Refusals of single events in such a body are not known, so all events of the batch count as delivered.
    public private(set) var withoutDetails = 0
    /// The sum of the times from the start of each request to its response or failure.
    public private(set) var duration: Duration = .zero

    /// Creates the statistics of a lane without requests.
    public init() {}

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - duration: The time from its start to its response or failure.
    ///   - hasFailed: Whether the request has no response, or its response refuses or postpones the whole batch.
    ///   - isWithoutDetails: Whether the response is an acknowledgement whose body was not read completely.
    package mutating func record(_ duration: Duration, hasFailed: Bool, isWithoutDetails: Bool = false) {
        count += 1
        if hasFailed { failed += 1 }
        if isWithoutDetails { withoutDetails += 1 }
        self.duration += duration
    }
}

/// The last failure of a lane, which is kept across restarts.
///
/// ``code`` and ``response`` may contain text of the receiver, which may quote an event. No description includes them.
public struct LaneFailure: Sendable, Equatable {
    /// The kind of a failure.
    public enum Kind: String, Sendable, Hashable {
        /// A temporary failure.
        ///
        /// The batch is sent again. If the endpoint is missing, the code is the reason of the pause that may follow.
        case retry
        /// Requests fail until the cause is fixed.
        ///
        /// The code is the reason of the pause.
        case paused
        /// The receiver refused events.
        ///
        /// The code is the receiver's reason.
        case refused
        /// The receiver accepted events and dropped them.
        ///
        /// The code is the receiver's reason.
        case dropped
        /// The receiver accepted the events with a warning, which the start of its response contains.
        case warned
        /// The body exceeded the receiver's limit.
        case tooLarge = "too_large"
        /// The clocks of the device and the receiver differ by more than an hour.
        ///
        /// The code is the number of seconds by which the device's clock is ahead.
        case clock
    }

    /// The time of the failure.
    public let time: Timestamp
    /// The kind of the failure.
    public let kind: Kind
    /// The status of the receiver's response, if any.
    public let status: Int?
    /// The receiver's code or reason, or the reason for a missing response, such as `connection refused`.
    ///
    /// It is empty if there is none.
    public let code: String
    /// The start of the receiver's response: at most 512 bytes, without control characters.
    public let response: String
    /// The receiver's host and port, such as `collector.example:443`, or an empty string if they are unknown.
    public let receiver: String

    /// The maximum number of bytes of ``response``.
    private static let maximumResponseBytes = 512
    /// The maximum number of bytes of another text.
    private static let maximumNameBytes = 128

    /// Creates a failure.
    ///
    /// Long texts are shortened, and control characters are replaced by spaces.
    package init(
        time: Timestamp,
        kind: Kind,
        status: Int? = nil,
        code: String = "",
        response: String = "",
        receiver: String = ""
    ) {
        self.time = time
        self.kind = kind
        self.status = status.flatMap { (1..<1000).contains($0) ? $0 : nil }
        self.code = LaneFailure.line(code, bytes: LaneFailure.maximumNameBytes)
        self.response = LaneFailure.line(response, bytes: LaneFailure.maximumResponseBytes)
        self.receiver = LaneFailure.line(receiver, bytes: LaneFailure.maximumNameBytes)
    }

    /// Returns the beginning of a text on one line, without splitting a character.
    private static func line(_ text: String, bytes: Int) -> String {
        var line = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += scalar.utf8.count
            guard count <= bytes else { break }
            line.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
        }
        return line
    }
}

extension LaneFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { status.map { "\(kind.rawValue), status \($0)" } ?? kind.rawValue }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["failure": description]) }
}
