import EventDelivery
import Locks

/// A transport that counts its requests.
///
/// The receiver cannot count them in time: it may read a request after the transport has cancelled it.
final class CountingTransport: Transport {
    /// The numbers of requests.
    struct Count {
        /// The number of started requests.
        var started = 0
        /// The number of requests in flight.
        var inFlight = 0
    }

    private let transport = PlatformTransport()
    private let state = Mutex(Count())

    /// The current numbers.
    var count: Count { state.withLock(\.self) }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        state.withLock { count in
            count.started += 1
            count.inFlight += 1
        }
        defer { state.withLock { $0.inFlight -= 1 } }
        return try await transport.send(request, timeout: timeout)
    }
}
