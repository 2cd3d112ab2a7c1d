#if !canImport(Darwin)
import CCurl

/// The transfers of one loop and libcurl's multi handle.
///
/// Only the loop's thread uses it.
final class CurlTransfers {
    /// The result of exchanges still in flight when their loop ends.
    static let broken = Result<HTTPResponse, TransportError>.failure(
        .connectionFailed(code: Int(CURLE_ABORTED_BY_CALLBACK.rawValue))
    )

    private static let maximumTransfers = ResponseLimits.transfers(files: ccurl_file_limit())
    /// The number of young transfers that may run at once, so that a burst of exchanges shares few connections.
    private static let maximumYoung = 8
    /// The age from which a transfer no longer counts, so that transfers that hang delay no other.
    private static let youth = Duration.milliseconds(100)

    private struct Entry {
        let transfer: CurlTransfer
        let exchange: CurlExchange
        let start: ContinuousClock.Instant
        let isFresh: Bool
    }

    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    private let configuration: CurlConfiguration
    private var entries: [UInt: Entry] = [:]
    /// The exchanges that wait for others to end or to age.
    ///
    /// libcurl could queue them too, but version 7.88 can lose transfers that wait for a connection.
    private var waiting: [CurlExchange] = []
    private var renewal = ConnectionRenewal()
    /// Whether the next transfer opens a connection.
    private var needsConnection = false

    /// Creates a multi handle, or returns `nil` if libcurl cannot be set up.
    init?(_ configuration: CurlConfiguration, _ sockets: CurlSockets) {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.sockets = sockets
        self.configuration = configuration
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, CurlTransfers.maximumTransfers)
    }

    /// Ends all exchanges and closes all connections.
    deinit {
        endAll()
        curl_multi_cleanup(multi)
    }

    /// Whether no exchange is in flight or waiting.
    var isEmpty: Bool { entries.isEmpty && waiting.isEmpty }

    /// Starts an exchange.
    ///
    /// If many transfers have just started, the exchange waits.
    func start(_ exchange: CurlExchange) {
        waiting.append(exchange)
        startWaiting()
    }

    private func startWaiting() {
        let limit = ContinuousClock.now - CurlTransfers.youth
        while !waiting.isEmpty, entries.count < CurlTransfers.maximumTransfers,
            entries.values.count(where: { $0.start > limit }) < CurlTransfers.maximumYoung
        {
            begin(waiting.removeFirst())
        }
    }

    private var exchanges: [CurlExchange] { entries.values.map(\.exchange) + waiting }

    /// Starts the transfer of an exchange.
    ///
    /// If that fails, completes the exchange with an error.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isFresh: Whether libcurl reads the file of authorities, instead of using what it has read before.
    private func begin(_ exchange: CurlExchange, isFresh: Bool = false) {
        let start = ContinuousClock.now
        let time = exchange.deadline - start
        guard time > .zero else { return exchange.complete(.failure(.timedOut)) }
        if entries.isEmpty { sockets.breakUnasked() }
        if renewal.isDue(at: start) { needsConnection = true }
        let age = renewal.maximumAge(at: start)
        guard let transfer = CurlTransfer(exchange, configuration, sockets, timeout: time),
            transfer.set(connectionAge: needsConnection ? nil : age, readsAuthorities: isFresh),
            curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
        else { return exchange.complete(.failure(.connectionFailed(code: Int(CURLE_FAILED_INIT.rawValue)))) }
        needsConnection = false
        entries[exchange.id] = Entry(transfer: transfer, exchange: exchange, start: start, isFresh: isFresh)
    }

    /// Ends an exchange with a result.
    ///
    /// If it has ended, does nothing.
    func end(_ id: UInt, _ result: Result<HTTPResponse, TransportError>) {
        if let index = waiting.firstIndex(where: { $0.id == id }) { return waiting.remove(at: index).complete(result) }
        end(id) { _ in result }
    }

    /// Ends an exchange whose deadline has passed, with the response if its head has arrived.
    private func expire(_ id: UInt) {
        if entries[id] == nil { return end(id, .failure(.timedOut)) }
        end(id) { $0.result(CURLE_OPERATION_TIMEDOUT) }
    }

    /// Ends all exchanges with ``broken``.
    func endAll() {
        for exchange in waiting { exchange.complete(CurlTransfers.broken) }
        waiting = []
        for id in entries.keys { end(id, CurlTransfers.broken) }
    }

    /// Advances the transfers, and completes those that have ended or passed their deadline.
    func perform() {
        var running: Int32 = 0
        let state = curl_multi_perform(multi, &running)
        var code = CURLE_OK
        while case let id = ccurl_next_finished(multi, &code), id != 0 {
            // The file of authorities may have changed since libcurl read it.
            if code == CURLE_PEER_FAILED_VERIFICATION, let entry = entries[id], !entry.isFresh {
                remove(entry)
                begin(entry.exchange, isFresh: true)
            } else {
                end(id) { $0.result(code) }
            }
        }
        guard state == CURLM_OK else { return endAll() }
        let now = ContinuousClock.now
        for id in exchanges.filter({ $0.deadline <= now }).map(\.id) { expire(id) }
        startWaiting()
    }

    /// Waits until a transfer can continue, a deadline passes or the signal is given.
    func wait(for signal: Int32, atMost longest: Duration) {
        let now = ContinuousClock.now
        let longest = waiting.isEmpty ? longest : CurlTransfers.youth
        let time = min(longest, (exchanges.map(\.deadline).min() ?? now + longest) - now)
        _ = ccurl_wait(multi, signal, Int32(clamping: max(0, time.milliseconds) + 1))
    }

    /// Ends a transfer.
    ///
    /// libcurl must release the handle before the memory behind it is freed.
    private func end(_ id: UInt, _ result: (CurlTransfer) -> Result<HTTPResponse, TransportError>) {
        guard let entry = entries[id] else { return }
        let result = result(entry.transfer)
        if case .success(let response) = result, renewal.isDue(at: .now, after: response.status) {
            needsConnection = true
        }
        remove(entry)
        entry.exchange.complete(result)
    }

    private func remove(_ entry: Entry) {
        curl_multi_remove_handle(multi, entry.transfer.handle)
        entries[entry.exchange.id] = nil
    }
}

extension Duration {
    /// The duration in whole milliseconds, clamped to the range of `Int`.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
#endif
