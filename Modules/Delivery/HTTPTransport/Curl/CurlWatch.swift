#if !canImport(Darwin)
import Dispatch
import Locks

/// A watchdog that completes exchanges whose loop does not respond in time, and breaks the loop's connections.
///
/// Loops enforce deadlines and cancellations themselves. The watchdog is a fallback for conditions in which libcurl
/// does not return, such as a flood of TLS records or a blocked name lookup. Only one alarm is set at a time, for the
/// earliest entry. An exchange that completes in time only costs a table entry.
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

    /// Schedules an error for an exchange, which applies unless the exchange is forgotten before.
    ///
    /// - Parameters:
    ///   - error: The error of the exchange.
    ///   - exchange: The exchange.
    ///   - moment: The time of the error. If the exchange has an earlier entry, that one stays.
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

    /// Removes the entry of a completed exchange.
    func remove(_ exchange: CurlExchange) {
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
            entry.exchange.complete(.failure(entry.error))
        }
        if let next { setAlarm(at: next) }
    }
}
#endif
