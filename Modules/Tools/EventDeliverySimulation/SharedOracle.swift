import EventDelivery
import Locks

/// A model of the correct behavior of processes that share a directory.
///
/// It records all calls and received events. A process knows the decisions and erasures of others after it has read
/// them: when it opens or flushes its engine, or makes a decision or an erasure itself.
final class SharedOracle: Sendable {
    /// A tracked event and its state.
    struct Event: Sendable {
        /// The process that tracked it.
        let life: Int
        let purpose: Int
        let user: Int?
        /// Whether the user may have been removed, because another process erased all data.
        let isUserDoubtful: Bool
        let tracked: Int64
        /// Whether it is stored and therefore survives a kill of its process.
        var isKept = false
        var hasArrived = false
        /// The process that delivered it.
        var deliverer: Int?
    }

    /// A consent decision or an erasure.
    struct Call: Sendable {
        /// The decision, or `nil` for an erasure.
        let consent: Consent?
        /// The purpose of a decision, or the user of an erasure.
        ///
        /// It is `nil` for an erasure of all data.
        let subject: Int?
        let life: Int
        let begin: Int64
        /// The time at which it returned, or `nil` if it has thrown or not returned.
        var end: Int64?

        var isErasure: Bool { consent == nil }
    }

    /// A process.
    struct Life: Sendable {
        /// The times at which it has read the decisions and erasures of other processes.
        var looks: [(begin: Int64, end: Int64)] = []
        var user: Int?
        /// The time at which the user was set.
        var identified: Int64 = 0
        /// Whether the storage may be suspended, and whether it has ever been.
        var isSuspended = false
        var hasSuspended = false
        var isKilled = false
    }

    struct State: Sendable {
        var violations: [Violation] = []
        var events: [Event] = []
        var calls: [Call] = []
        var lives: [Life] = []
    }

    private let state = Mutex(State())

    var violations: [Violation] { state.withLock { $0.violations } }

    func report(_ promise: Promise, _ detail: String) { state.withLock { $0.report(promise, detail) } }

    func look<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }
}

extension SharedOracle.State {
    mutating func report(_ promise: Promise, _ detail: String) { violations.record(promise, detail) }

    /// Records a tracked event.
    ///
    /// Returns its number.
    mutating func track(purpose: Int, by life: Int, now: Int64) -> Int {
        let (user, identified) = (lives[life].user, lives[life].identified)
        let isDoubtful =
            user != nil
            && calls.contains {
                $0.isErasure && $0.subject == nil && $0.life != life && !knew($0, life, before: identified)
            }
        events.append(
            SharedOracle.Event(life: life, purpose: purpose, user: user, isUserDoubtful: isDoubtful, tracked: now)
        )
        return events.count - 1
    }

    /// Records a change of the signed-in user.
    mutating func identify(_ user: Int?, in life: Int, now: Int64) {
        (lives[life].user, lives[life].identified) = (user, now)
    }

    /// Records the start of a decision or an erasure.
    ///
    /// Returns its number.
    mutating func begin(_ consent: Consent?, about subject: Int?, by life: Int, now: Int64) -> Int {
        calls.append(SharedOracle.Call(consent: consent, subject: subject, life: life, begin: now))
        if consent == nil, subject == nil { identify(nil, in: life, now: now) }
        return calls.count - 1
    }

    /// Records that a call has returned.
    ///
    /// The process then also knows the earlier calls of others.
    mutating func end(_ number: Int, now: Int64) {
        calls[number].end = now
        lives[calls[number].life].looks.append((calls[number].begin, now))
    }

    /// Records that the events are stored that a process tracked before the given time.
    mutating func keep(life: Int, before begin: Int64) {
        guard !lives[life].isSuspended else { return }
        for number in events.indices where events[number].life == life && events[number].tracked < begin {
            events[number].isKept = true
        }
    }

    /// Whether a process knew the effect of a call before the given time.
    private func knew(_ call: SharedOracle.Call, _ life: Int, before instant: Int64) -> Bool {
        guard let end = call.end else { return false }
        if call.life == life { return end < instant }
        return lives[life].looks.contains { $0.begin > end && $0.end < instant }
    }

    /// Whether a call may cover an event.
    private func mayConcern(_ call: SharedOracle.Call, _ event: SharedOracle.Event) -> Bool {
        guard call.isErasure else { return call.subject == event.purpose }
        return call.subject == nil || call.subject == event.user
    }

    /// Whether a call certainly covers an event.
    private func concerns(_ call: SharedOracle.Call, _ event: SharedOracle.Event) -> Bool {
        mayConcern(call, event) && (!call.isErasure || call.subject == nil || !event.isUserDoubtful)
    }

    /// Checks that a request that starts now contains no denied or erased events.
    mutating func send(_ numbers: [Int], purpose: Int, by life: Int, now: Int64) {
        for number in numbers {
            let event = events[number]
            for call in calls where event.tracked < call.begin && concerns(call, event) && knew(call, life, before: now)
            {
                if call.isErasure { report(.erasureRevived, "event \(number)") }
                if call.consent == .denied { report(.consentRevived, "event \(number)") }
            }
            guard let deliverer = event.deliverer else { continue }
            let deliverers = [deliverer, life, event.life].map { lives[$0] }
            if !deliverers.contains(where: { $0.isKilled || $0.hasSuspended }) { report(.sentOnce, "event \(number)") }
        }
        let words = calls.filter { $0.consent != nil && $0.subject == purpose }
        guard let last = words.max(by: { $0.begin < $1.begin }), last.consent == .denied, knew(last, life, before: now),
            words.allSatisfy({ $0.begin == last.begin || $0.end.map { $0 < last.begin } ?? false })
        else { return }
        report(.consentSending, "purpose \(purpose)")
    }

    /// Records events that a receiver has accepted.
    mutating func arrive(_ numbers: [Int]) {
        for number in numbers { events[number].hasArrived = true }
    }

    /// Records the response to a request that started at the given time.
    ///
    /// If a decision or an erasure cancels the request, the response is ignored.
    mutating func acknowledge(_ numbers: [Int], to life: Int, since begin: Int64) {
        guard calls.allSatisfy({ knew($0, life, before: begin) }) else { return }
        for number in numbers { events[number].deliverer = life }
    }

    /// Returns the process's events that a completed call must have deleted from the disk.
    func deleted(by number: Int) -> Set<Int> {
        let call = calls[number]
        guard !lives[call.life].hasSuspended else { return [] }
        return Set(
            events.indices.filter {
                events[$0].life == call.life && events[$0].tracked < call.begin && concerns(call, events[$0])
            }
        )
    }

    /// Whether an event must arrive, because every call that could delete it was complete and known when it was
    /// tracked.
    private func mustArrive(_ event: SharedOracle.Event) -> Bool {
        guard event.isKept else { return false }
        return calls.filter { mayConcern($0, event) }.allSatisfy { call in
            guard let consent = call.consent else { return knew(call, event.life, before: event.tracked) }
            guard consent == .denied else { return true }
            guard let end = call.end else { return false }
            return calls.contains { later in
                later.consent.map { $0 != .denied } ?? false && later.subject == call.subject && later.begin > end
                    && knew(later, event.life, before: event.tracked)
            }
        }
    }

    /// Checks that every event has arrived that must arrive.
    mutating func account() {
        for number in events.indices where !events[number].hasArrived && mustArrive(events[number]) {
            report(lives[events[number].life].isKilled ? .survivesKill : .noLoss, "event \(number)")
        }
    }
}
