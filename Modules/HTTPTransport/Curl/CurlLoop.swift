#if !canImport(Darwin)
import CCurl
import Dispatch
import FoundationEssentials
import Locks

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

    private let orders = Mutex(Orders())
    private let signal: Int32
    /// Kept for as long as this object, which its thread holds: libcurl closes sockets to the last.
    private let sockets = CurlSockets()

    private init?() {
        signal = ccurl_signal_open()
        guard signal >= 0 else { return nil }
    }

    deinit {
        close(signal)
    }

    /// Starts a loop; `nil` when the system has no means left for it, or the process is about to end.
    static func started(_ configuration: CurlConfiguration) -> CurlLoop? {
        guard let loop = CurlLoop(), CurlLibrary.run(loop, { loop.run(configuration) }) else { return nil }
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
        perform(CurlTransfers(configuration, sockets))
        for exchange in takenOrders(isIdle: true).starting { exchange.answer(CurlTransfers.broken) }
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

/// The sockets of one loop, so that another thread can break them when libcurl does not come back.
///
/// libcurl has this object's address for as long as a connection lives: the loop keeps it beyond the multi handle. A
/// socket is closed under the lock under which it is broken, so none of the numbers can be another file's by then.
final class CurlSockets: Sendable {
    private let open = Mutex<Set<Int32>>([])

    /// Ends all connections and drops what they have not sent yet; any thread may.
    func breakAll() {
        open.withLock { open in
            for socket in open { ccurl_socket_break(socket) }
        }
    }

    /// Ends the connections on which something has come that nobody asked for; all are idle when it is called.
    ///
    /// libcurl before 8.0 would take it for the answer to the connection's next request.
    func breakUnasked() {
        open.withLock { open in
            for socket in open where ccurl_socket_has_input(socket) != 0 {
                ccurl_socket_break(socket)
            }
        }
    }

    /// Has libcurl open and close the sockets of a handle here.
    func attach(to handle: UnsafeMutableRawPointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_set_sockets(handle, CurlSockets.opener, CurlSockets.closer, context) == CURLE_OK
    }

    private static let opener: ccurl_opener = { context, _, address in
        guard let context, let address else { return -1 }
        return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open.withLock { open in
            let socket = ccurl_socket_open(address)
            if socket >= 0 { open.insert(socket) }
            return socket
        }
    }

    private static let closer: ccurl_closer = { context, socket in
        guard let context else { return close(socket) }
        return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open.withLock { open in
            open.remove(socket)
            return close(socket)
        }
    }
}
#endif
