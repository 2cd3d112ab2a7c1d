public import EventDelivery
public import EventTracking
public import HTTPTransport
import Locks

/// A fetcher of an engine's quotas document from your server.
///
/// ```swift
/// let fetcher = QuotasFetcher(endpoint)
/// let fetching = Task { await fetcher.run() }
/// ```
///
/// A request has no data of the user, and redirects are not followed, so the document comes from the named host. A pinned
/// key of the transport excludes each other server. The document applies as after `DeliveryEngine.setQuotas(document:)`:
/// at the next start, the engine uses the stored one until a new one has arrived.
public final class QuotasFetcher: Sendable {
    /// The time after which a request has failed.
    private static let timeout = Duration.seconds(30)
    /// The time until the first attempt after a failure, which doubles with each further one.
    private static let firstRetry = Duration.seconds(60)
    /// The minimum time between two requests.
    private static let shortestInterval = Duration.seconds(10)

    private let endpoint: Endpoint
    private let headers: [HTTPHeader]
    private let transport: any Transport
    private let engine: DeliveryEngine
    /// The entity tag of the document that this process has passed to the engine last.
    private let tag = Mutex<String?>(nil)

    /// Creates a fetcher, which makes no request yet.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the document.
    ///   - headers: Further headers of the request, such as an authorization.
    ///   - transport: The client of the requests.
    ///   - engine: The engine. It need not be open.
    public init(
        _ endpoint: Endpoint,
        headers: [HTTPHeader] = [],
        transport: any Transport = PlatformTransport(),
        on engine: DeliveryEngine = .shared
    ) {
        (self.endpoint, self.headers, self.transport, self.engine) = (endpoint, headers, transport, engine)
    }

    /// Fetches the document now and then at intervals, until the task is cancelled.
    ///
    /// After a failure, the next attempt follows after a minute, and each further one after twice the time, up to the
    /// interval. A server's `Retry-After` makes the wait longer. Each wait is up to a fifth longer, at random, so that
    /// devices do not all call at the same time.
    ///
    /// - Parameters:
    ///   - interval: The time between two requests, which is at least ten seconds.
    ///   - report: Receives each result. Without it, a failure is written to the engine's log when its cause changes.
    public func run(
        every interval: Duration = .seconds(3_600),
        report: (@Sendable (QuotasFetch) -> Void)? = nil
    ) async {
        let (clock, interval) = (engine.buffer.clock, max(interval, QuotasFetcher.shortestInterval))
        var (random, failures, last) = (engine.buffer.runtime.generator, 0, QuotasFetch?.none)
        while !Task.isCancelled {
            let (result, asked) = await load()
            if Task.isCancelled { return }
            if let report { report(result) } else if result.isFailure, result != last { log(result) }
            (failures, last) = (result.isFailure ? failures + 1 : 0, result)
            let retry = QuotasFetcher.firstRetry * (1 << min(max(0, failures - 1), 16))
            let wait = max(failures > 0 ? min(retry, interval) : interval, asked ?? .zero)
            let due = clock.monotonicTime().advanced(by: wait * Double.random(in: 1...1.2, using: &random))
            guard (try? await clock.sleep(until: due)) != nil else { return }
        }
    }

    /// Fetches the document once.
    ///
    /// A document that this process has fetched before is not sent again by a server with entity tags.
    ///
    /// - Returns: The result. After a failure, the quotas in effect stay.
    @discardableResult
    public func fetch() async -> QuotasFetch { await load().result }

    private func load() async -> (result: QuotasFetch, asked: Duration?) {
        var request = HTTPRequest(url: endpoint.url, method: "GET", headers: headers, body: [])
        // The value comes from a response, so it may be no valid header.
        if let known = tag.withLock(\.self), let header = try? HTTPHeader("If-None-Match", known) {
            request.headers.append(header)
        }
        do throws(TransportError) {
            let response = try await transport.send(request, timeout: QuotasFetcher.timeout)
            let dated = RetryAfter.dated(response, at: engine.buffer.clock.wallTime())
            return (await accept(response), RetryAfter.wait(in: dated))
        } catch {
            return (.unreachable(error), nil)
        }
    }

    private func accept(_ response: HTTPResponse) async -> QuotasFetch {
        switch response.status {
        case 304: return .unchanged
        case 200 where response.extent == .interrupted: return .unreachable(.connectionLost)
        case 200: break
        default: return .refused(status: response.status)
        }
        do throws(QuotasError) {
            let accepted = try await engine.setQuotas(document: response.body)
            keepTag(of: response)
            return .accepted(accepted)
        } catch .notStored(let error) {
            keepTag(of: response)
            return .notStored(error)
        } catch {
            return .rejected(error)
        }
    }

    private func keepTag(of response: HTTPResponse) { tag.withLock { $0 = response.headers["etag"] } }

    private func log(_ result: QuotasFetch) {
        guard SystemLog.choice(with: engine.buffer.clock) != "off" else { return }
        SystemLog.write("the quotas stay as they are: \(result)", level: "warning")
    }
}

/// The result of a request for the quotas document.
public enum QuotasFetch: Sendable, Equatable {
    /// The document is in effect and stored.
    case accepted(AcceptedQuotas)
    /// The server has no other document than the one that this process has fetched.
    case unchanged
    /// The document is in effect, but the engine cannot store it now.
    ///
    /// The engine stores it when it opens its directory.
    case notStored(OutboxError)
    /// The document is malformed, too large or of another version, and changes nothing.
    case rejected(QuotasError)
    /// The server responded with another status, such as a redirect.
    case refused(status: Int)
    /// No response arrived.
    case unreachable(TransportError)

    /// Whether the quotas in effect stay because of a fault.
    public var isFailure: Bool {
        switch self {
        case .accepted, .unchanged, .notStored: false
        case .rejected, .refused, .unreachable: true
        }
    }
}

extension QuotasFetch: CustomStringConvertible {
    public var description: String {
        switch self {
        case .accepted(let quotas): "the quotas document has \(quotas.entries) entries"
        case .unchanged: "the quotas document is unchanged"
        case .notStored(let error): "\(QuotasError.notStored(error))"
        case .rejected(let error): "\(error)"
        case .refused(let status): "the server of the quotas document responded with status \(status)"
        case .unreachable(let error): "the server of the quotas document is not reached: \(error)"
        }
    }
}
