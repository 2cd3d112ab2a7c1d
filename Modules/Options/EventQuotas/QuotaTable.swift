import CoreTracker
import EventTracking
import Locks

/// The quotas of a document and of the configuration, prepared for one lookup for each event.
///
/// Lookup order: event name on its lane, event name, lane, product, configuration. For each quota of an event, the first entry that sets it
/// wins.
final class QuotaTable: EventAdmission {
    private final class Quota: Sendable {
        let isOff: Bool?
        let sample: Double?
        let rate: RateCounter?
        /// The quotas of the events of a lane.
        let events: [String: Quota]

        init(_ entry: RemoteQuotas.Entry, after earlier: Quota?) {
            (isOff, sample) = (entry.off, entry.sample)
            events = QuotaTable.quotas(entry.events, after: earlier?.events)
            rate = entry.perMinute.map { RateCounter(maximum: $0, after: earlier?.rate) }
        }
    }

    private let events: [String: Quota]
    private let lanes: [LaneID: Quota]
    private let products: [String: Quota]
    private let sampling: [String: Double]
    private let unit: SamplingUnit
    private let names: NameRates?

    /// Creates a table, or returns `nil` if there are no quotas.
    ///
    /// - Parameters:
    ///   - document: The document, if any.
    ///   - configuration: The quotas of the configuration.
    ///   - names: The rates of the configuration, if any.
    ///   - earlier: The replaced table. An entry in both tables keeps its count.
    init?(_ document: RemoteQuotas?, over configuration: TrackQuotas, names: NameRates?, after earlier: QuotaTable?) {
        let document = document ?? RemoteQuotas()
        guard document.count > 0 || configuration != .none else { return nil }
        unit = document.unit ?? configuration.samplingUnit
        events = QuotaTable.quotas(document.events, after: earlier?.events)
        lanes = QuotaTable.quotas(document.lanes, after: earlier?.lanes)
        products = QuotaTable.quotas(document.products, after: earlier?.products)
        sampling = configuration.sampling
        self.names = names
    }

    private static func quotas<Key>(
        _ entries: [Key: RemoteQuotas.Entry],
        after earlier: [Key: Quota]?
    ) -> [Key: Quota] {
        entries.keyed { ($0, Quota($1, after: earlier?[$0])) }
    }

    /// Returns the reason to drop an event, or `nil` to accept it.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - lane: The event's lane.
    ///   - identity: The event's identity. If its installation is not known yet, sampling accepts the event.
    ///   - now: The time at which the event counts towards a rate, or `nil` to ignore rates.
    func refusal(
        of name: String,
        on lane: LaneID,
        _ identity: Identity,
        countedAt now: MonotonicInstant?
    ) -> DropReason? {
        let (event, ofLane, ofProduct) = (events[name], lanes[lane], products[lane.product])
        let onLane = ofLane?.events[name]
        if onLane?.isOff ?? event?.isOff ?? ofLane?.isOff ?? ofProduct?.isOff ?? false { return .switchedOff }
        let share = onLane?.sample ?? event?.sample ?? ofLane?.sample ?? ofProduct?.sample ?? sampling[name]
        if let share, !isIncluded(identity, in: share) { return .sampledOut }
        guard let now else { return nil }
        let rate = onLane?.rate ?? event?.rate ?? ofLane?.rate ?? ofProduct?.rate
        let isWithin = rate?.count(at: now) ?? names?.count(name, at: now) ?? true
        return isWithin ? nil : .rateCapped
    }

    /// Whether the unit of an event is in a sample.
    private func isIncluded(_ identity: Identity, in share: Double) -> Bool {
        let (session, installation) = (identity.sessionID, identity.deviceID)
        guard !installation.isEmpty else { return true }
        let id = unit == .installation || session.isEmpty ? installation : session
        return Double(id.stableHash) < share * 0x1p64
    }
}

/// A counter of the events in the current minute, up to a maximum.
///
/// It takes no lock.
private final class RateCounter: Sendable {
    /// The number of the minute in the upper bits, and of events in the lower ones.
    private let state: Atomic<UInt64>
    private let maximum: UInt32

    /// - Parameters:
    ///   - maximum: The maximum number of events.
    ///   - earlier: The replaced counter.
    init(maximum: Int, after earlier: RateCounter?) {
        self.maximum = UInt32(clamping: maximum)
        state = Atomic(earlier?.state.load(ordering: .relaxed) ?? 0)
    }

    /// Counts an event, unless the maximum is reached.
    ///
    /// Returns whether the event was counted.
    func count(at now: MonotonicInstant) -> Bool {
        let minute = UInt64(UInt32(clamping: now.minute)) << 32
        var found = state.load(ordering: .relaxed)
        while true {
            // A thread may read the clock earlier and call later.
            let counted = max(found, minute)
            guard UInt32(truncatingIfNeeded: counted) < maximum else { return false }
            let (isCounted, other) = state.weakCompareExchange(
                expected: found,
                desired: counted + 1,
                ordering: .relaxed
            )
            if isCounted { return true }
            found = other
        }
    }
}

/// The counters of all event names for the rate of the configuration.
final class NameRates: Sendable {
    /// The maximum number of names with their own rate in a minute.
    ///
    /// All further names share one.
    static let maximumNames = 4_096

    private struct State {
        var minute: Int64 = .min
        /// The numbers of events by the hash of their name, and under 0 those of all further names.
        var counts: [Int: Int] = [:]
    }

    private let maximum: Int
    private let state = Mutex(State())

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Counts an event.
    ///
    /// Returns `false` if there are more than the maximum in this minute.
    func count(_ name: String, at now: MonotonicInstant) -> Bool {
        let hash = name.hashValue
        return state.withLock { state in
            // A thread may read the clock earlier and call later.
            if now.minute > state.minute {
                state.minute = now.minute
                state.counts.removeAll(keepingCapacity: true)
            }
            let isKnown = state.counts.count < NameRates.maximumNames || state.counts[hash] != nil
            let key = isKnown ? hash : 0
            let count = state.counts[key, default: 0] + 1
            state.counts[key] = count
            return count <= maximum
        }
    }
}

extension MonotonicInstant {
    fileprivate var minute: Int64 { nanoseconds / 60_000_000_000 }
}
