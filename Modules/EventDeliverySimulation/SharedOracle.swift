import EventDelivery
import Locks

/// The model beside processes that share a directory: who has said what when, who could know it, and what has arrived.
///
/// A process can know what others have been told once it has looked after that: it has opened its engine, flushed it,
/// or said or erased something itself.
final class SharedOracle: Sendable {
    /// An event as it was tracked, and what has become of it.
    struct Event: Sendable {
        /// The process that has tracked it.
        let life: Int
        let purpose: Int
        let user: Int?
        /// Whether there may have been no user, since another process had everything erased.
        let isUserDoubtful: Bool
        let tracked: Int64
        /// Whether it is stored, so that a kill of its process does not lose it.
        var isKept = false
        var hasArrived = false
        /// The process that has delivered it.
        var deliverer: Int?
    }

    /// A word about a purpose, or something to erase.
    struct Call: Sendable {
        /// What was said; `nil` for an erasure.
        let consent: Consent?
        /// What it concerns: a purpose, or for an erasure a user; `nil` for everything.
        let subject: Int?
        let life: Int
        let begin: Int64
        /// When it returned; `nil` where it has thrown or has not ended.
        var end: Int64?

        var isErasure: Bool { consent == nil }
    }

    /// A process.
    struct Life: Sendable {
        /// When it has looked for what others were told.
        var looks: [(begin: Int64, end: Int64)] = []
        var user: Int?
        /// When that was said.
        var identified: Int64 = 0
        /// Whether the storage may be suspended, and whether it has ever been, so that others took the file over.
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
    mutating func report(_ promise: Promise, _ detail: String) { violations.note(promise, detail) }

    /// Notes an event that is tracked now; returns its number.
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

    /// Notes who is signed in from now on.
    mutating func identify(_ user: Int?, in life: Int, now: Int64) {
        (lives[life].user, lives[life].identified) = (user, now)
    }

    /// Notes that a word or an erasure begins; returns its number.
    mutating func begin(_ consent: Consent?, about subject: Int?, by life: Int, now: Int64) -> Int {
        calls.append(SharedOracle.Call(consent: consent, subject: subject, life: life, begin: now))
        if consent == nil, subject == nil { identify(nil, in: life, now: now) }
        return calls.count - 1
    }

    /// Notes that a call has returned, which is a look as well.
    mutating func end(_ number: Int, now: Int64) {
        calls[number].end = now
        lives[calls[number].life].looks.append((calls[number].begin, now))
    }

    /// Notes that what a process had tracked before an instant is stored.
    mutating func keep(life: Int, before begin: Int64) {
        guard !lives[life].isSuspended else { return }
        for number in events.indices where events[number].life == life && events[number].tracked < begin {
            events[number].isKept = true
        }
    }

    /// Whether a process knew a call's effect before an instant.
    private func knew(_ call: SharedOracle.Call, _ life: Int, before instant: Int64) -> Bool {
        guard let end = call.end else { return false }
        if call.life == life { return end < instant }
        return lives[life].looks.contains { $0.begin > end && $0.end < instant }
    }

    /// Whether a call may reach an event.
    private func mayConcern(_ call: SharedOracle.Call, _ event: SharedOracle.Event) -> Bool {
        guard call.isErasure else { return call.subject == event.purpose }
        return call.subject == nil || call.subject == event.user
    }

    /// Whether a call reaches an event for sure.
    private func concerns(_ call: SharedOracle.Call, _ event: SharedOracle.Event) -> Bool {
        mayConcern(call, event) && (!call.isErasure || call.subject == nil || !event.isUserDoubtful)
    }

    /// What a request may not carry that begins now.
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

    /// Notes what a receiver has taken.
    mutating func arrive(_ numbers: [Int]) {
        for number in numbers { events[number].hasArrived = true }
    }

    /// Notes an answer to a request that has begun at an instant; one to a request that a word or an erasure calls back
    /// counts for nothing.
    mutating func acknowledge(_ numbers: [Int], to life: Int, since begin: Int64) {
        guard calls.allSatisfy({ knew($0, life, before: begin) }) else { return }
        for number in numbers { events[number].deliverer = life }
    }

    /// The process's own events that a call that has returned must have deleted from the disk.
    func deleted(by number: Int) -> Set<Int> {
        let call = calls[number]
        guard !lives[call.life].hasSuspended else { return [] }
        return Set(
            events.indices.filter {
                events[$0].life == call.life && events[$0].tracked < call.begin && concerns(call, events[$0])
            }
        )
    }

    /// Whether an event may not be lost: all that could have deleted it was over, and known to be, when it was tracked.
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

    /// The end: what could be lost by nothing has arrived.
    mutating func account() {
        for number in events.indices where !events[number].hasArrived && mustArrive(events[number]) {
            report(lives[events[number].life].isKilled ? .survivesKill : .noLoss, "event \(number)")
        }
    }
}
