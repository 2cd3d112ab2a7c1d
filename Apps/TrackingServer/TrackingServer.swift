import AwesomeTracking
import DeliveryMetrics
import Dispatch
import EventDelivery
import Foundation
import Locks
import LoopbackCollector
import OptionParsing
import ServerDelivery

/// An example server with back-pressure, metrics and an orderly end.
///
/// The engine's log writes the causes of waiting and lost events to standard error. The HTTP server comes from the
/// tests, with a thread for each connection. In a real server, use a framework, and make the same calls of the engine.
@main
enum TrackingServer {
    static func main() async {
        // If the reader of our output ends, the server must not.
        signal(SIGPIPE, SIG_IGN)
        await ServerOptions.run(run)
    }

    private static func run(_ options: ServerOptions) async throws {
        let engine = DeliveryEngine(capacity: options.capacity)
        let log = options.logsOutcomes ? engine.outcomes() : nil
        let logging = Task { await log?.writeLines() }
        let receiver = if let receiver = options.receiver { receiver } else { try Endpoint("http://127.0.0.1:8123") }
        let rows = try ClickHouseConfiguration(endpoint: receiver)
        var configuration = DeliveryConfiguration(
            directory: options.directory.map { URL(filePath: $0) },
            destinations: [ClickHouseDestination(product: ViewRoutes.product, configuration: rows)]
        )
        // A server has no inactive half-hour that ends a session.
        configuration.sessionTimeout = nil
        if options.logsOutcomes {
            // Every line of standard error is JSON then.
            let choice = ProcessInfo.processInfo.environment["EVENT_DELIVERY_LOG"] ?? "warnings"
            configuration.log = DeliveryLog.Detail(rawValue: choice).map { .jsonLines($0) } ?? .off
        }
        let gate = RequestGate()
        let routes = ViewRoutes(engine: engine, wait: options.wait, gate: gate)
        let listener = try LoopbackCollector(
            port: options.port,
            networkAddress: options.host,
            retention: .latestIDs(1),
            script: script(routes)
        )
        // It responds until the engine is closed, so clients get status 503 instead of a failed connection.
        defer { listener.close() }
        let report = try await engine.runUntilSignal(configuration, closingWithin: options.deadline) {
            say("listening on \(listener.url)")
            let (cancellation, _) = AsyncStream.makeStream(of: Never.self)
            for await _ in cancellation {}
            await gate.close()
        }
        // The last lines have a second, because the reader of standard error may have stopped.
        Task {
            try? await Task.sleep(for: .seconds(1))
            logging.cancel()
        }
        await logging.value
        let lost = report.lanes.reduce(0) { sum, lane in
            sum + lane.dropped[.closed, default: 0] + lane.dropped[.storageFull, default: 0]
        }
        let left = report.lanes.reduce(lost) { $0 + $1.pending }
        say("stopped; \(left == 1 ? "1 event is" : "\(left) events are") not delivered")
        // A supervisor must see events that end with this process. The log has the cause.
        if lost > 0 { exit(EXIT_FAILURE) }
    }

    /// Returns the script of the listener, which waits for each response on the connection's own thread.
    private static func script(_ routes: ViewRoutes) -> CollectorScript {
        CollectorScript { request in
            let response = Mutex<CollectorResponse?>(nil)
            let isReady = DispatchSemaphore(value: 0)
            Task {
                let result = await routes.response(to: request)
                response.withLock { $0 = result }
                isReady.signal()
            }
            isReady.wait()
            return .unrecorded(.respond(response.withLock { $0 } ?? CollectorResponse(500)))
        }
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
