import AwesomeTracking
import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventTracking
import FirebaseTracking
import Foundation
import ServerDelivery

/// Opens an engine that sends nothing before the user's decision.
func openBeforeTheDecision(_ engine: DeliveryEngine) async throws {
    let gateway = try Endpoint("https://gateway.example")
    let firebase = try FirebaseConfiguration(endpoint: gateway, firebaseAppID: "1:1:ios:1", apiSecret: "s")
    let rows = try ClickHouseConfiguration(endpoint: gateway.appending(path: "rows"))

    let support = try FileManager.default.url(
        for: .applicationSupportDirectory,
        in: .userDomainMask,
        appropriateFor: nil,
        create: true
    )
    let configuration = DeliveryConfiguration(
        directory: support.appending(path: "events"),
        destinations: [
            FirebaseDestination(product: "DL", configuration: firebase),
            ClickHouseDestination(product: "DL", configuration: rows),
        ],
        defaultConsent: .unknown
    )
    try await engine.open(configuration)
}

/// Returns a configuration whose lanes collect events for two minutes, except one.
func sparing(_ configuration: DeliveryConfiguration) -> DeliveryConfiguration {
    var configuration = configuration
    configuration.schedule = SendingSchedule(interval: .seconds(120), events: 200)
    configuration.laneSchedules[.awesomeTracking(product: "AC")] = .immediate
    return configuration
}

/// Applies the user's decision, and prints a failure to store it or to delete all events.
func apply(agrees: Bool) async {
    let engine = DeliveryEngine.shared
    do {
        try await engine.setConsent(agrees ? .granted : .denied, for: .analytics)
    } catch {
        print("the decision is in effect, but it is not stored or some data is not deleted yet: \(error)")
    }
}

/// Prints the state of each lane, and of the latest events with a name.
func whyNothingArrived() async {
    let engine = DeliveryEngine.shared
    for lane in await engine.statistics() {
        print(lane.id, lane.ledger.pending, lane.ledger.dropped, lane.explanation ?? "nothing is wrong")
    }
    for event in engine.recentEvents(named: "basket_opened", limit: 3) {
        if let place = await engine.explain(event.id) { print(event.id, place.lane, place.status) }
    }
}

/// Prints the events that receivers have refused, and sends them again.
func retryRefused() async {
    let engine = DeliveryEngine.shared
    let refused = await engine.quarantine.events()
    for event in refused { print(event.lane, event.reason, event.response) }
    await engine.quarantine.retry(Set(refused.map(\.id)))
}

/// Runs a server together with its engine, until SIGTERM or SIGINT ends both.
func run(_ configuration: DeliveryConfiguration, serve: @escaping @Sendable () async throws -> Void) async throws {
    let engine = DeliveryEngine.shared
    let outcomes = engine.outcomes()
    Task { await outcomes.writeLines() }
    let report = try await engine.runUntilSignal(configuration, closingWithin: .seconds(20)) {
        try await serve()
    }
    if !report.isDrained || report.droppedTotal > 0 { print(report) }
}

/// Handles a request if the engine has capacity for its events, and otherwise returns `false`.
func admit(_ respond: () async -> Void) async -> Bool {
    guard await DeliveryEngine.shared.waitForCapacity(upTo: .milliseconds(500)) else { return false }
    await respond()
    return true
}

/// Counts the lost events of each reason until the engine is closed.
func countLosses(of engine: DeliveryEngine) async -> [DropReason: Int] {
    var losses: [DropReason: Int] = [:]
    for await outcome in engine.outcomes() {
        if case .dropped(let reason) = outcome.kind { losses[reason, default: 0] += outcome.count }
        if outcome.missed > 0 { print("the listener was too slow for \(outcome.missed) outcomes") }
    }
    return losses
}

/// Tracks an event, and returns whether it is stored on disk.
func isOnDisk(order: String) async -> Bool {
    let lane = DeliveryEngine.shared.lane(.awesomeTracking(product: "AC"))
    let receipt = await lane.trackUntilStored(
        "order_paid",
        parameters: ["order": .string(order)],
        options: .critical
    )
    return receipt.isStored
}

/// An event with personal data.
struct NewsletterOrdered: CoreTrackable {
    let mail: Sensitive<String>

    var services: [EventService] {
        AwesomeTrackingEvent("newsletter_ordered", .sensitive(mail, as: "mail", policy: .hash))
    }
}

/// A replacement of the Firebase SDK's class, with the same signatures.
enum Analytics {
    nonisolated static func setUserID(_ userID: String?) {}
    nonisolated static func logEvent(_ name: String, parameters: [String: Any]?) {}
}

/// An adapter that passes the events of the Firebase lane to its SDK.
struct FirebaseAnalyticsAdapter: FirebaseSDKAdapter {
    func logEvent(_ name: String, parameters: EventParameters, userID: String?) {
        Analytics.setUserID(userID)
        Analytics.logEvent(name, parameters: parameters.dictionary)
    }
}

/// Handles a request, with the user and the route in each event that is tracked meanwhile.
func handle(user: String, request: String, route: String, _ respond: () async throws -> Void) async rethrows {
    try await withTracking(user: user, session: request, parameters: ["route": .string(route)]) {
        try await respond()
    }
}
