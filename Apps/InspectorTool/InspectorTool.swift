import EventInspector
import Foundation
import LoopbackCollector
import OptionParsing

/// The entry point of `Scripts/inspect`.
@main
enum InspectorTool {
    static func main() async {
        let options = InspectorOptions.ofProcess()
        do throws(UsageError) {
            let session = try InspectorSession(options)
            print(session.instructions)
            fflush(nil)
            // The collector uses its own threads. SIGINT and SIGTERM end the process.
            while true { try? await Task.sleep(for: .seconds(3600)) }
        } catch {
            InspectorOptions.fail(error)
        }
    }
}

/// A collector for all services with an inspector.
///
/// It listens from its creation until ``close()``.
struct InspectorSession: Sendable {
    private let collector: LoopbackCollector
    private let inspector: EventInspector
    private let isOnNetwork: Bool

    /// Starts listening.
    ///
    /// - Throws: `UsageError` if the folder has no plan or a schema that cannot be read, or if the address or the port
    ///   cannot be used.
    init(_ options: InspectorOptions) throws(UsageError) {
        let plan: InspectorPlan
        do throws(InspectorPlanError) {
            plan = if let folder = options.plan { try InspectorPlan(folder: folder) } else { InspectorPlan() }
        } catch {
            throw UsageError("--plan: \(error)")
        }
        do throws(CollectorError) {
            collector = try LoopbackCollector(
                port: options.port,
                networkAddress: options.network,
                services: .all,
                retention: .latestIDs(50_000)
            )
        } catch {
            let address = options.network ?? "127.0.0.1"
            throw UsageError("cannot listen on \(address), port \(options.port): \(error)")
        }
        inspector = EventInspector(on: collector, services: .all, plan: plan)
        isOnNetwork = options.network != nil
    }

    /// The page's link, with its token.
    var link: String { inspector.link }

    /// The next steps, as text for the terminal.
    var instructions: String {
        isOnNetwork
            ? """
            inspector  \(link)
            app        configuration = try configuration.inspected(at: link, allowsOtherMachines: true)

            WARNING: this inspector is open to the network of \(collector.url).
            Everyone who has the link sees all events with their values and ids, users included. Nothing is encrypted,
            so everyone who can read the network's traffic sees them too. Use a network that you trust and test data,
            and end the inspector (Ctrl-C) when you are done.
            """
            : """
            inspector  \(link)
            app        configuration = try configuration.inspected(at: link)
            receivers  \(collector.url) takes the requests of every service, if events are to stay here:
                       /mp/collect (Firebase, Google Analytics), / (ClickHouse), /v1/logs (OTLP), /users/track (Braze),
                       /ee/v2/collect (Adobe), /receiver/v1/http/any (Sumo Logic)
            Ctrl-C ends.
            """
    }

    /// Stops listening.
    func close() {
        collector.close()
    }
}
