#if !canImport(Darwin)
import CCurl
import Dispatch
import FoundationEssentials
import Locks

/// A thread that runs all exchanges with one receiver, and its queue of orders from other threads.
///
/// Only this thread creates, uses and frees libcurl's handles. Other threads add orders under a lock and then signal
/// the thread. This object owns the signal, so a signal never reaches a freed handle.
final class CurlLoop: Sendable {
    private struct Orders {
        var starting: [CurlExchange] = []
        var cancelled: [UInt] = []
        var isEnding = false
        var isEmpty: Bool { starting.isEmpty && cancelled.isEmpty && !isEnding }
    }

    /// How long an idle loop waits for another exchange before it ends.
    private static let longestIdle = Duration.seconds(120)

    private let orders = Mutex(Orders())
    private let signal: Int32
    /// The sockets of the loop.
    ///
    /// They must outlive libcurl's handles, which close sockets until the end.
    private let sockets = CurlSockets()

    private init?() {
        signal = ccurl_signal_open()
        guard signal >= 0 else { return nil }
    }

    deinit {
        close(signal)
    }

    /// Starts a loop.
    ///
    /// - Parameter configuration: The trust and proxy settings.
    /// - Returns: The loop, or `nil` if the system lacks resources or the process is exiting.
    static func started(_ configuration: CurlConfiguration) -> CurlLoop? {
        guard let loop = CurlLoop(), CurlLibrary.run(loop, { loop.run(configuration) }) else { return nil }
        return loop
    }

    /// Starts an exchange.
    ///
    /// - Parameter exchange: The exchange.
    /// - Returns: `false` if the loop is ending and does not accept exchanges.
    func start(_ exchange: CurlExchange) -> Bool {
        exchange.enter(self)
        return order { $0.starting.append(exchange) }
    }

    /// Cancels an exchange and closes its connection.
    ///
    /// If the exchange has ended, does nothing.
    func cancel(_ exchange: CurlExchange) {
        _ = order { $0.cancelled.append(exchange.id) }
    }

    /// Ends the loop.
    ///
    /// Its in-flight exchanges fail.
    func end() {
        _ = order { $0.isEnding = true }
    }

    /// Ends the loop even if libcurl does not return, by breaking the loop's connections.
    func abandon() {
        end()
        sockets.breakAll()
    }

    /// Adds an order.
    ///
    /// Signals the thread only if the queue was empty.
    ///
    /// - Returns: `false` if the loop is ending.
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

    private func takeOrders(isIdle: Bool) -> Orders {
        orders.withLock { orders in
            if isIdle, orders.isEmpty { orders.isEnding = true }
            defer { (orders.starting, orders.cancelled) = ([], []) }
            return orders
        }
    }

    private func run(_ configuration: CurlConfiguration) {
        perform(CurlTransfers(configuration, sockets))
        for exchange in takeOrders(isIdle: true).starting { exchange.complete(CurlTransfers.broken) }
    }

    /// Runs transfers until the loop ends.
    ///
    /// All libcurl handles are freed when this method returns.
    private func perform(_ transfers: CurlTransfers?) {
        guard let transfers else { return end() }
        var lastUse = ContinuousClock.now
        while true {
            let orders = takeOrders(isIdle: transfers.isEmpty && .now - lastUse >= CurlLoop.longestIdle)
            for exchange in orders.starting { transfers.start(exchange) }
            if orders.isEnding { return transfers.endAll() }
            for id in orders.cancelled { transfers.end(id, .failure(.cancelled)) }
            transfers.perform()
            if !transfers.isEmpty { lastUse = .now }
            transfers.wait(for: signal, atMost: CurlLoop.longestIdle)
        }
    }
}

/// The sockets of one loop, which another thread can break if libcurl does not return.
///
/// libcurl holds this object's address while a connection exists, so the loop keeps the object longer than the multi
/// handle. Sockets are closed and broken under the same lock. A socket's number can therefore not belong to another
/// file when it is broken.
final class CurlSockets: Sendable {
    private let open = Mutex<Set<Int32>>([])

    /// Breaks all connections and discards unsent data.
    ///
    /// Any thread may call it.
    func breakAll() {
        open.withLock { open in
            for socket in open { ccurl_socket_break(socket) }
        }
    }

    /// Breaks idle connections with unexpected input.
    ///
    /// Call it only if all connections are idle.
    ///
    /// libcurl before 8.0 would read this input as the response to the connection's next request.
    func breakUnasked() {
        open.withLock { open in
            for socket in open where ccurl_socket_has_input(socket) != 0 {
                ccurl_socket_break(socket)
            }
        }
    }

    /// Configures a handle to open and close its sockets through this object.
    ///
    /// - Returns: Whether libcurl accepted the callbacks.
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
