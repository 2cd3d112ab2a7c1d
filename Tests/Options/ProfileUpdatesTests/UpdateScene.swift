import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation

/// An engine, and destinations that support all updates, only traits, and none.
struct UpdateScene {
    static let unreachable = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    let all = RecordingDestination(
        lane: LaneID(product: "T", service: "all"),
        updates: Set(ProfileUpdate.allCases)
    )
    let traits = RecordingDestination(
        lane: LaneID(product: "T", service: "traits"),
        purpose: .marketing,
        updates: [.traits]
    )
    let events = RecordingDestination(lane: LaneID(product: "T", service: "events"))
    let clock = TestClock()
    let engine: DeliveryEngine

    init() {
        engine = DeliveryEngine(clock: clock)
    }
}

/// A suite of tests with a scene.
protocol UpdateSuite {
    var scene: UpdateScene { get }
}

extension UpdateSuite {
    var all: RecordingDestination { scene.all }
    var traits: RecordingDestination { scene.traits }
    var events: RecordingDestination { scene.events }
    var clock: TestClock { scene.clock }
    var engine: DeliveryEngine { scene.engine }

    func lines() -> LineDestination { LineDestination(updates: Set(ProfileUpdate.allCases)) }

    func track(_ name: String) { engine.lane(all.lane).track(name, parameters: [:]) }

    func open(
        _ destinations: [any Destination]? = nil,
        directory: URL? = nil,
        consent: [ConsentPurpose: Consent] = [:],
        salt: Secret? = nil,
        quotas: TrackQuotas = .none,
        middleware: [any EventMiddleware] = [],
        _ transport: ScriptedTransport = UpdateScene.unreachable,
        on other: DeliveryEngine? = nil
    ) async throws {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: destinations ?? [all, traits, events],
            transport: transport
        )
        configuration.consent = consent
        configuration.quotas = quotas
        configuration.salt = salt
        configuration.middleware = middleware
        try await (other ?? engine).open(configuration)
    }

    func accepted() async -> [LaneID: Int] {
        Dictionary(uniqueKeysWithValues: await engine.statistics().map { ($0.id, $0.ledger.accepted) })
    }

    func dropped(by other: DeliveryEngine? = nil) async -> [LaneID: [DropReason: Int]] {
        Dictionary(uniqueKeysWithValues: await (other ?? engine).statistics().map { ($0.id, $0.ledger.dropped) })
    }
}
