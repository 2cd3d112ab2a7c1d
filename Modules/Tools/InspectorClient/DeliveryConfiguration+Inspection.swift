import CoreTracker
public import EventDelivery
import Foundation

extension DeliveryConfiguration {
    /// Returns a configuration that reports its events to an event inspector.
    ///
    /// Use it in debug builds.
    ///
    /// ```swift
    /// if let link { configuration = try configuration.inspected(at: link, on: engine) }
    /// ```
    ///
    /// The engine reports each event with its parameters and the defaults. It reports refused, adjusted, held, pending,
    /// quarantined and dropped events. It also reports each response with its result, and the ledger of each lane.
    /// While an event waits for consent, only its name, id and time are reported.
    ///
    /// Reports use the transport of this configuration, and `track` does no additional work. If no inspector responds,
    /// reports are lost and the delivery continues.
    ///
    /// - Parameters:
    ///   - link: The link printed by the inspector, with its token.
    ///   - engine: The engine that will be opened with this configuration.
    ///   - allowsOtherMachines: Whether the link may name a host other than the loopback address. Reports contain
    ///     events with all parameters, and over `http` anyone on the network can read them.
    /// - Returns: The new configuration.
    /// - Throws: `ConfigurationError` if the link has no token, or if it names another machine without permission.
    public func inspected(
        at link: String,
        on engine: DeliveryEngine = .shared,
        allowsOtherMachines: Bool = false
    ) throws(ConfigurationError) -> DeliveryConfiguration {
        let address = try InspectorAddress(link, allowsOtherMachines: allowsOtherMachines)
        let reporter = InspectionReporter(to: address, over: transport)
        var configuration = self
        configuration.destinations = destinations.map { InspectedDestination($0, reporter: reporter) }
        reporter.start(watching: engine)
        return configuration
    }
}

/// The address of an inspector for reports, with the required token.
struct InspectorAddress: Sendable {
    private let url: URL
    private let origin: String
    private let token: Secret

    /// Parses the link of an inspector, such as `http://127.0.0.1:8123/?token=…`.
    ///
    /// - Parameters:
    ///   - link: The link printed by the inspector.
    ///   - allowsOtherMachines: Whether the link may name a host other than the loopback address.
    /// - Throws: `invalidURL` if the link has no host or no token, and `invalidValue` if it names another machine
    ///   without permission.
    init(_ link: String, allowsOtherMachines: Bool) throws(ConfigurationError) {
        guard let parts = URLComponents(string: link), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let token = parts.queryItems?.first(where: { $0.name == "token" })?.value
        else { throw .invalidURL(quoting: link) }
        guard allowsOtherMachines || Endpoint.isLoopback(host) else {
            throw .invalidValue(field: "the inspector's link", expected: "a loopback address")
        }
        var address = URLComponents()
        (address.scheme, address.percentEncodedHost, address.port) = (scheme, parts.percentEncodedHost, parts.port)
        origin = address.string ?? ""
        address.path = "/inspector/state"
        guard let url = address.url else { throw .invalidURL(quoting: link) }
        self.url = url
        self.token = Secret(token)
    }

    /// Returns a request with reports, each of which is one line of JSON.
    func request(_ lines: [UInt8]) -> HTTPRequest? {
        guard let authorization = try? HTTPHeader("Authorization", "Bearer \(token.value)"),
            let origin = try? HTTPHeader("Origin", origin)
        else { return nil }
        return HTTPRequest(url: url, headers: [authorization, origin], body: lines, allowsGzip: false)
    }
}

/// A destination that forwards every requirement to another destination and reports its events and responses.
struct InspectedDestination: DestinationWrapper {
    let base: any Destination
    private let reporter: InspectionReporter

    /// Wraps a destination.
    init(_ base: any Destination, reporter: InspectionReporter) {
        self.base = base
        self.reporter = reporter
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        let (start, earlier) = (encoder.byteCount, encoder.adjustments)
        do throws(EventEncodingError) {
            try base.encode(event, into: &encoder)
        } catch {
            reporter.record(event, on: lane, body: [], adjustments: [:], error: error)
            throw error
        }
        let body = unsafe encoder.json.withBytes { unsafe Array($0[min(start, $0.count)...]) }
        let adjustments = encoder.adjustments.filter { earlier[$0.key] != $0.value }
        reporter.record(event, on: lane, body: body, adjustments: adjustments, error: nil)
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let result = base.result(for: response, of: batch)
        reporter.record(response, result, for: batch, on: lane)
        return result
    }
}
