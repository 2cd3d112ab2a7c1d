import Locks
import LoopbackCollector

/// A model of a slow link, whose uplink all connections share.
///
/// The uplink sends one request after another. The response arrives one round trip after the last byte was sent. The
/// first request of a connection starts two round trips later: one for TCP and one for TLS 1.3. The model has no slow
/// start and no loss. It counts no headers below HTTP, and the receiver needs no time.
struct SlowLink: Sendable {
    /// The rate of the uplink, 1 Mbit/s.
    static let bytesPerSecond = 125_000.0
    private static let roundTripsToConnect = 2

    private let roundTrip: Duration
    /// The time at which the uplink has sent all earlier requests.
    private var isIdleFrom = Duration.zero

    /// Creates an idle link.
    init(roundTrip: Duration) {
        self.roundTrip = roundTrip
    }

    /// Sends a request, and returns the time at which its response arrives.
    ///
    /// - Parameters:
    ///   - bytes: The size of the request.
    ///   - time: The time at which the sender starts the request. Requests are sent in the order of the calls.
    ///   - isFirst: Whether the request is the first of its connection.
    mutating func response(toBytes bytes: Double, at time: Duration, isFirst: Bool) -> Duration {
        let start = isFirst ? time + roundTrip * SlowLink.roundTripsToConnect : time
        isIdleFrom = max(isIdleFrom, start) + .seconds(bytes / SlowLink.bytesPerSecond)
        return isIdleFrom + roundTrip
    }

    /// Returns the time of the link for requests of equal size.
    ///
    /// Each connection opens at the start, and sends its next request when a response arrives.
    ///
    /// - Parameters:
    ///   - bytes: The size of all requests together.
    ///   - requests: The number of requests.
    ///   - connections: The number of connections.
    ///   - roundTrip: The round-trip time of the link.
    static func leastTime(bytes: Int, requests: Int, connections: Int, roundTrip: Duration) -> Duration {
        var link = SlowLink(roundTrip: roundTrip)
        var idleFrom = [Duration](repeating: .zero, count: connections)
        for request in 0..<requests {
            let connection = request % connections
            idleFrom[connection] = link.response(
                toBytes: Double(bytes) / Double(requests),
                at: idleFrom[connection],
                isFirst: request < connections
            )
        }
        return idleFrom.max() ?? .zero
    }
}

extension CollectorScript {
    /// Returns a script that accepts every request, with the delay of a slow link.
    ///
    /// The client sends over the loopback address, so a request arrives when the client starts it.
    static func accept(over link: SlowLink) -> CollectorScript {
        let link = SharedLink(link)
        return CollectorScript { .delay(link.delay(of: $0), then: .accept) }
    }
}

/// A link with the clock of the collector's requests.
private final class SharedLink: Sendable {
    private let start = ContinuousClock.now
    private let link: Mutex<SlowLink>

    init(_ link: SlowLink) {
        self.link = Mutex(link)
    }

    func delay(of request: CollectedRequest) -> Duration {
        link.withLock { link in
            let time = ContinuousClock.now - start
            let isFirst = request.head.ordinal == 1
            return link.response(toBytes: Double(request.byteCount), at: time, isFirst: isFirst) - time
        }
    }
}

extension CollectedRequest {
    /// The number of bytes of the request, as received.
    var byteCount: Int {
        let line = "\(method) \(head.target) HTTP/1.1\r\n".utf8.count
        let fields = head.headerLines.reduce(0) { $0 + $1.utf8.count + 2 }
        return line + fields + 2 + rawBody.count
    }
}
