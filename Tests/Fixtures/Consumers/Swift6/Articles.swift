import AwesomeTracking
import CoreTracker
import EventDelivery
import FirebaseTracking
import Foundation

/// Opens an engine that sends nothing before the user has answered.
func openBeforeTheAnswer(in directory: URL, _ destinations: [any Destination], _ engine: DeliveryEngine) async throws {
    let configuration = DeliveryConfiguration(
        directory: directory.appending(path: "events"),
        destinations: destinations,
        defaultConsent: .unknown
    )
    try await engine.open(configuration)
}

/// Passes on what the user has answered, and says where a denial could not delete everything yet.
func answer(_ agrees: Bool, _ engine: DeliveryEngine) async {
    do {
        try await engine.setConsent(agrees ? .granted : .denied, for: .analytics)
    } catch {
        print("the denial holds, and bytes are still to be deleted: \(error)")
    }
}

/// Tells what each lane does, and where the last events of a name are.
func whyNothingArrived(named name: String, _ engine: DeliveryEngine) async {
    for lane in await engine.statistics() {
        print(lane.id, lane.ledger.pending, lane.ledger.dropped, lane.explanation ?? "sends")
    }
    for event in engine.recentEvents(named: name, limit: 3) {
        if let place = await engine.explain(event.id) { print(event.id, place.lane, place.fate) }
    }
}

/// Looks at what receivers have refused, and sends it again.
func retryRefused(_ engine: DeliveryEngine) async {
    let refused = await engine.quarantined()
    for event in refused { print(event.lane, event.reason, event.answer) }
    await engine.retryQuarantined(Set(refused.map(\.id)))
}

/// Runs a server with an engine of its own; cancelling the task closes both.
func run(_ configuration: DeliveryConfiguration, serve: @escaping @Sendable () async throws -> Void) async throws {
    let engine = DeliveryEngine.shared
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await engine.run(configuration, closingWithin: .seconds(20)) }
        group.addTask { try await serve() }
        try await group.next()
        group.cancelAll()
    }
}

/// Tracks an event, and returns whether it is safely on disk.
func isOnDisk(_ order: String, _ engine: DeliveryEngine) async -> Bool {
    let lane = engine.lane(.awesomeTracking(product: "AC"))
    let receipt = await lane.track(
        "order_paid",
        parameters: ["order": .string(order)],
        options: .critical,
        until: .persisted
    )
    return receipt.outcome == .persisted
}

/// An event that tells of a person.
struct NewsletterOrdered: CoreTrackable {
    let mail: Sensitive<String>

    var services: [EventService] {
        AwesomeTrackingEvent("newsletter_ordered", .sensitive(mail, as: "mail", .hash))
    }
}

/// Firebase's SDK, as an app has it.
enum Analytics {
    nonisolated static func setUserID(_ userID: String?) {}
    nonisolated static func logEvent(_ name: String, parameters: [String: Any]?) {}
}

/// Ends Firebase's lane in its SDK.
struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        Analytics.setUserID(userID)
        Analytics.logEvent(name, parameters: parameters.dictionary)
    }
}
