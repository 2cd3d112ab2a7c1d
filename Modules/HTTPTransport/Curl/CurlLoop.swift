#if !canImport(Darwin)
import CCurl
import Dispatch
import Foundation
import Synchronization

/// The thread that carries out all exchanges with one receiver, and the orders that other threads give it.
///
/// All that is libcurl's lives and dies on that thread. Others leave orders under a lock and give a signal, which this
/// object owns: so no signal meets a handle of libcurl that is no more.
final class CurlLoop: Sendable {
    private struct Orders {
        var starting: [CurlExchange] = []
        var cancelled: [UInt] = []
        var isEnding = false
        var isEmpty: Bool { starting.isEmpty && cancelled.isEmpty && !isEnding }
    }

    /// How long a loop waits for another exchange before it ends.
    private static let longestIdle = Duration.seconds(120)
    private static let stackSize = 512 * 1024

    private let orders = Mutex(Orders())
    private let signal: Int32
    /// Kept for as long as this object, which its thread holds: libcurl closes sockets to the last.
    private let sockets = CurlSockets()
    private let ended = DispatchSemaphore(value: 0)

    private init?() {
        signal = ccurl_signal_open()
        guard signal >= 0 else { return nil }
    }

    deinit {
        close(signal)
    }

    /// Starts a loop; `nil` when the system has no means left for it, or the process is about to end.
    static func started(_ configuration: CurlConfiguration) -> CurlLoop? {
        guard let loop = CurlLoop(), CurlLibrary.register(loop) else { return nil }
        let thread = Thread { loop.run(configuration) }
        thread.name = "CurlLoop"
        thread.stackSize = CurlLoop.stackSize
        thread.start()
        return loop
    }

    /// Starts an exchange; `false` when the loop takes none any more.
    func start(_ exchange: CurlExchange) -> Bool {
        exchange.enter(self)
        return order { $0.starting.append(exchange) }
    }

    /// Ends an exchange, and its connection with it, unless it has ended.
    func cancel(_ exchange: CurlExchange) {
        _ = order { $0.cancelled.append(exchange.id) }
    }

    /// Ends the loop, and the exchanges under way as failed.
    func end() {
        _ = order { $0.isEnding = true }
    }

    /// Ends the loop although libcurl does not come back: breaks the connections that it may be busy with.
    func abandon() {
        end()
        sockets.breakAll()
    }

    /// Waits until the thread has let go of libcurl, or a moment has come.
    func waitUntilEnded(by moment: DispatchTime) {
        _ = ended.wait(timeout: moment)
    }

    /// Leaves an order; the signal is given for the first one that the thread has not taken yet.
    private func order(_ change: (inout Orders) -> Void) -> Bool {
        let (isTaken, isFirst) = orders.withLock { orders in
            guard !orders.isEnding else { return (false, false) }
            let isFirst = orders.isEmpty
            change(&orders)
            return (true, isFirst)
        }
        if isFirst { ccurl_signal_give(signal) }
        return isTaken
    }

    private func takenOrders(isIdle: Bool) -> Orders {
        orders.withLock { orders in
            if isIdle, orders.isEmpty { orders.isEnding = true }
            defer { (orders.starting, orders.cancelled) = ([], []) }
            return orders
        }
    }

    private func run(_ configuration: CurlConfiguration) {
        ccurl_block_sigpipe()
        perform(CurlTransfers(configuration, sockets))
        for exchange in takenOrders(isIdle: true).starting { exchange.answer(CurlTransfers.broken) }
        ended.signal()
    }

    /// Moves the transfers on until the loop has to end; they and all that is libcurl's end with this call.
    private func perform(_ transfers: CurlTransfers?) {
        guard let transfers else { return end() }
        var lastUse = ContinuousClock.now
        while true {
            let orders = takenOrders(isIdle: transfers.isEmpty && .now - lastUse >= CurlLoop.longestIdle)
            for exchange in orders.starting { transfers.start(exchange) }
            if orders.isEnding { return transfers.endAll() }
            for id in orders.cancelled { transfers.end(id, .failure(.cancelled)) }
            transfers.perform()
            if !transfers.isEmpty { lastUse = .now }
            transfers.wait(for: signal, atMost: CurlLoop.longestIdle)
        }
    }
}
#endif
