import AppTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Tests of the functions on the page about apps and extensions.
@Suite(.timeLimit(.minutes(5))) struct SharedDirectoryPageTests {
    @Test func `an extension is configured, its events are erased, and a directory in use is left alone`() async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "container-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (container, destination) = (TrackingContainer(folder), LineDestination())
        let (app, widget) = (DeliveryEngine(), DeliveryEngine())
        try await app.open(configuration(of: .app, in: container, destinations: [destination]))
        try await app.setConsent(.granted, for: .analytics)
        try await widget.open(configuration(of: .extension("widget"), in: container, destinations: [destination]))
        widget.hold(reason: .maintenance)
        widget.lane(destination.lane).track("viewed", parameters: ["text": "CANARY"])
        await widget.storeBuffered()
        let directory = container.directory(of: .extension("widget"))

        // The directory has changed just now, so this does not open it.
        try await deliverExtensions(in: container, with: configuration(of: .app, in: container, destinations: []))
        try await app.setConsent(.denied, for: .analytics)
        await applyDecisions(in: container)
        #expect(try TemporaryQueue.contents(of: directory).contains("CANARY"))
        await widget.suspendStorage()
        await applyDecisions(in: container)

        #expect(try !TemporaryQueue.contents(of: directory).contains("CANARY"))
        await widget.close(timeout: .zero)
        await app.close(timeout: .zero)
    }

    func configuration(
        of member: TrackingContainer.Member,
        in container: TrackingContainer,
        destinations: [any Destination]
    ) -> DeliveryConfiguration {
        var configuration = DeliveryConfiguration(
            directory: container.directory(of: member),
            destinations: destinations
        )
        configuration.sharing = container.sharing(of: member)
        return configuration
    }

    func applyDecisions(in container: TrackingContainer) async {
        do {
            try await container.decisions.apply(to: container.extensionDirectories)
        } catch {
            // An extension that uses its directory applies the decisions at its next flush.
            print(error)
        }
    }

    func deliverExtensions(in container: TrackingContainer, with configuration: DeliveryConfiguration) async throws {
        let reports = try await DeliveryEngine.deliver(
            directories: container.extensionDirectories,
            with: configuration,
            timeout: .seconds(20)
        )
        for (directory, report) in reports where !report.isDrained { print(directory, report) }
    }
}
