import AwesomeTracking
import EventDelivery
import FirebaseTracking
import Foundation
import LoopbackCollector

/// The times in which 5,000 stored events of a service are delivered over a slow link, at two round-trip times.
///
/// The engine uses its own transport and the limits of the service. The floor is the time of the link for the same
/// bytes in the fewest requests allowed by the limits. See ``SlowLink``.
struct LinkDrain: Figure {
    /// A service, or a format of one.
    enum Service: String, Sendable {
        case firebase = "Firebase"
        case awesomeTracking = "AwesomeTracking"
        case openTelemetry = "OTLP"
    }

    /// The result of one delivery of all events.
    private struct Drain {
        let time: Duration
        let requests: [CollectedRequest]
        let connections: Int
    }

    private static let events = 5_000
    private static let roundTrips = [300, 50]
    private static let deadline = Duration.seconds(120)
    /// The number of events tracked by the producer before it waits for the disk, such as the events of one screen.
    private static let group = 7

    let rows: [Row]
    let runs: RunCount
    private let service: Service

    /// Creates the figure of a service.
    init(_ service: Service) {
        self.service = service
        let events = "5,000 \(service.rawValue) events"
        let times = Self.roundTrips.map { Row("\(events) at 1 Mbit/s and \($0) ms", .nanoseconds, .timesFloor(1.2)) }
        let requests = Row("requests for \(events)", .count, .timesFloor(1))
        let connections = Row("connections for \(events)", .count, .timesFloor(1))
        // The destination for Firebase does not allow gzip.
        let gzip = Row("gzip ratio of \(events)", .compression, .timesFloor(1.05))
        rows = times + [requests, connections] + (service == .firebase ? [] : [gzip])
        // Firebase's deliveries take half a minute.
        runs = service == .firebase ? RunCount(full: 1, quick: 0) : RunCount(full: 3, quick: 1)
    }

    func measure(_ setting: Setting) async throws -> [Sample] {
        var samples: [Sample] = []
        for (row, milliseconds) in zip(rows, Self.roundTrips) {
            let roundTrip = Duration.milliseconds(milliseconds)
            let collector = try LoopbackCollector(services: [], script: .accept(over: SlowLink(roundTrip: roundTrip)))
            defer { collector.close() }
            let destination = try destination(at: collector.url)
            let drain = try await drain(to: destination, collector, in: "\(setting.directory)/\(milliseconds)")
            samples += self.samples(of: drain, row, destination.limits, roundTrip: roundTrip)
            if let gzip = rows.last, gzip.unit == .compression {
                samples.append(try Self.compression(of: drain.requests, gzip))
            }
        }
        return samples
    }

    /// Returns the time and the counts of a delivery, each with its floor.
    private func samples(of drain: Drain, _ row: Row, _ limits: BatchLimits, roundTrip: Duration) -> [Sample] {
        let requests = (Self.events - 1) / limits.events + 1
        let connections = min(limits.inFlight, requests)
        let floor = SlowLink.leastTime(
            bytes: drain.requests.reduce(0) { $0 + $1.byteCount },
            requests: requests,
            connections: connections,
            roundTrip: roundTrip
        )
        let time = Sample(row: row.name, value: drain.time / .nanoseconds(1), floor: floor / .nanoseconds(1))
        let counts = [(drain.requests.count, requests), (drain.connections, connections)]
        return [time]
            + zip(rows.dropFirst(Self.roundTrips.count), counts).map { row, count in
                Sample(row: row.name, value: Double(count.0), floor: Double(count.1))
            }
    }

    private func drain(
        to destination: any Destination,
        _ collector: LoopbackCollector,
        in queue: String
    ) async throws -> Drain {
        try await fill(queue, destination)
        let live = LiveEngine()
        let start = ContinuousClock.now
        try await live.open(in: queue, destinations: [destination], transport: PlatformTransport())
        let report = await live.engine.flush(timeout: Self.deadline)
        let time = ContinuousClock.now - start
        await live.engine.close(timeout: .zero)
        guard report.lanes.reduce(0, { $0 + $1.delivered }) == Self.events else {
            throw BenchmarkError("events were lost, or not delivered within \(Self.deadline)")
        }
        // The ids are read only now, because the collector's work would delay its responses.
        let requests = collector.requests
        let ids = requests.flatMap { collectorService.events(in: $0).map(\.id) }
        guard ids.count == Self.events, Set(ids).count == Self.events else {
            throw BenchmarkError("events have arrived more than once, or without an id")
        }
        return Drain(time: time, requests: requests, connections: collector.tally.connections)
    }

    /// Stores the events, without forming batches.
    private func fill(_ queue: String, _ destination: any Destination) async throws {
        let live = LiveEngine()
        try await live.open(
            in: queue,
            destinations: [destination],
            transport: ReceiverlessTransport(acknowledges: false),
            schedule: SendingSchedule(interval: .seconds(86_400), events: .max, bytes: .max)
        )
        let lane = live.engine.lane(destination.lane)
        for number in 0..<Self.events {
            let event = ShopEvent(number: number)
            lane.track(service == .firebase ? "view_item" : "product_viewed", parameters: event.parameters)
            if number % Self.group == Self.group - 1 { live.waitUntilStored() }
        }
        live.waitUntilStored()
        await live.engine.close(timeout: .zero)
    }

    /// Returns the compression ratio of the bodies, with the ratio of one body with all events as the floor.
    private static func compression(of requests: [CollectedRequest], _ row: Row) throws -> Sample {
        let bodies = requests.flatMap(\.body)
        guard let whole = Gzip.compress(bodies) else { throw BenchmarkError("zlib has failed") }
        let sent = requests.reduce(0) { $0 + $1.rawBody.count }
        return Sample(
            row: row.name,
            value: Double(bodies.count) / Double(sent),
            floor: Double(bodies.count) / Double(whole.count)
        )
    }

    private var collectorService: CollectorService {
        switch service {
        case .firebase: .firebase
        case .awesomeTracking: .awesomeTracking
        case .openTelemetry: .awesomeTrackingByOTLP
        }
    }

    private func destination(at receiver: Endpoint) throws -> any Destination {
        switch service {
        case .firebase: return try LiveEngine.firebase(at: receiver)
        case .awesomeTracking: return try LiveEngine.awesomeTracking(at: receiver)
        case .openTelemetry:
            let configuration = try OTLPConfiguration(endpoint: receiver, appVersion: "1.0.0")
            return OTLPDestination(product: "DL", configuration: configuration)
        }
    }
}
