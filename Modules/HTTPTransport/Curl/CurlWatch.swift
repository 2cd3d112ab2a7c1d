#if !canImport(Darwin)
import Dispatch
import Locks

/// Answers exchanges whose loop does not come back in time, and breaks the loop's connections.
///
/// Deadlines and cancellations are the loop's own work. This stands behind it, for what keeps libcurl from returning: a
/// flood of TLS records, or a name whose resolution hangs. One alarm at a time is set, for the earliest moment: an
/// exchange that is answered in time costs an entry in a table.
final class CurlWatch: Sendable {
    private struct Entry {
        let exchange: CurlExchange
        let error: TransportError
        let moment: ContinuousClock.Instant
    }

    private struct State {
        var entries: [UInt: Entry] = [:]
        var alarm: ContinuousClock.Instant?
    }

    private let queue = DispatchQueue(label: "HTTPTransport.CurlWatch")
    private let state = Mutex(State())

    /// Answers an exchange with an error at a moment, unless it is forgotten before; the earliest moment counts.
    func insist(on error: TransportError, of exchange: CurlExchange, at moment: ContinuousClock.Instant) {
        let isNew = state.withLock { state in
            if let entry = state.entries[exchange.id], entry.moment <= moment { return false }
            state.entries[exchange.id] = Entry(exchange: exchange, error: error, moment: moment)
            guard state.alarm.map({ moment < $0 }) ?? true else { return false }
            state.alarm = moment
            return true
        }
        if isNew { setAlarm(at: moment) }
    }

    /// Forgets an exchange, which has been answered.
    func forget(_ exchange: CurlExchange) {
        _ = state.withLock { $0.entries.removeValue(forKey: exchange.id) }
    }

    private func setAlarm(at moment: ContinuousClock.Instant) {
        let time = max(.zero, moment - .now) / .seconds(1)
        queue.asyncAfter(deadline: .now() + time) { [weak self] in self?.ring(at: moment) }
    }

    private func ring(at moment: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        let (late, next) = state.withLock { state in
            let late = state.entries.values.filter { $0.moment <= now }
            for entry in late { state.entries[entry.exchange.id] = nil }
            guard state.alarm == moment else { return (late, nil as ContinuousClock.Instant?) }
            state.alarm = state.entries.values.map(\.moment).min()
            return (late, state.alarm)
        }
        for entry in late {
            entry.exchange.loop?.abandon()
            entry.exchange.answer(.failure(entry.error))
        }
        if let next { setAlarm(at: next) }
    }
}
#endif
