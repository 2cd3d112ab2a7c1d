/// The requests of a period, and the delays of the events in them.
///
/// A request takes no time, because the receivers acknowledge it at once.
struct Traffic: Sendable {
    /// A request.
    struct Request: Sendable, Equatable {
        /// The time of the request and of its response.
        let time: Duration
        /// The service that receives it.
        let service: String
        /// The number of bytes of its head and its body, after compression.
        let bytes: Int
        /// The time from tracking each event to its acknowledgement.
        let delays: [Duration]
    }

    /// The time after a request for which a phone's radio stays on.
    static let radioTail: Duration = .seconds(5)
    /// The head of a response without a body, as receivers send it.
    private static let response = """
        HTTP/1.1 200 OK\r
        Date: Sun, 01 Mar 2026 10:00:00 GMT\r
        Content-Type: text/plain; charset=UTF-8\r
        Content-Length: 0\r
        Connection: keep-alive\r
        Server: nginx\r
        \r\n
        """

    /// The requests, in any order.
    var requests: [Request] = []

    /// The number of requests that wake the radio: those that start more than 5 s after the previous request.
    var wakeUps: Int {
        let times = requests.map(\.time).sorted()
        return zip(times, [nil] + times.map(Optional.some)).count { time, previous in
            previous.map { time - $0 > Traffic.radioTail } ?? true
        }
    }

    /// The number of bytes of all requests.
    var bytesUp: Int { requests.reduce(0) { $0 + $1.bytes } }

    /// The number of bytes of all responses.
    var bytesDown: Int { requests.count * Traffic.response.utf8.count }

    /// The number of delivered events.
    var eventCount: Int { requests.reduce(0) { $0 + $1.delays.count } }

    /// The longest delay of an event.
    var longestDelay: Duration { requests.flatMap(\.delays).max() ?? .zero }

    /// The mean delay of all events.
    var meanDelay: Duration {
        requests.flatMap(\.delays).reduce(.zero, +) / max(1, eventCount)
    }

    /// The names of the services, in alphabetical order.
    var services: [String] { Set(requests.map(\.service)).sorted() }

    /// Returns the requests to one service.
    func to(_ service: String) -> Traffic { Traffic(requests: requests.filter { $0.service == service }) }
}
