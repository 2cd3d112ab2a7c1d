/// Applies ``TrackLimits`` to one event after the other.
struct TrackLimiter: Sendable {
    private let limits: TrackLimits
    private var minute: Int64 = .min
    private var counts: [String: Int] = [:]

    init(_ limits: TrackLimits) {
        self.limits = limits
    }

    /// Says why an event is not taken; `nil` when it is.
    mutating func refusal(of name: String, session: String, now: MonotonicInstant) -> DropReason? {
        if let share = limits.sampling[name], !TrackLimiter.isSampled(name + session, share: share) {
            return .sampledOut
        }
        guard let cap = limits.eventsPerMinute else { return nil }
        let current = now.nanoseconds / 60_000_000_000
        // Threads that have read the clock earlier may come later.
        if current > minute {
            minute = current
            counts.removeAll(keepingCapacity: true)
        }
        counts[name, default: 0] += 1
        return counts[name, default: 0] > cap ? .rateCapped : nil
    }

    private static func isSampled(_ text: String, share: Double) -> Bool {
        var checksum = Checksum()
        checksum.add(text)
        return Double(checksum.value) < share * 4_294_967_296
    }
}
