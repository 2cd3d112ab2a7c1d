import CoreTracker
import DLTracker
import DeliveryMetrics
import EventDelivery
import FeatureFlags
import FormatChanges
import Foundation
import ProfileUpdates

/// The processor time of an event in an engine that uses a feature, from `track` to the acknowledgement of two
/// services.
///
/// The floor is the same engine without the feature. Both are measured in turns.
struct FeatureCost: Figure {
    private enum Feature: CaseIterable {
        case scope, middleware, quotas, flag, traits, hold, outcomes

        var row: Row {
            switch self {
            case .scope: Row("in a scope, processor time per event", .nanoseconds, .timesFloor(1.2))
            case .middleware: Row("with a denylist of keys, processor time per event", .nanoseconds, .timesFloor(1.2))
            case .quotas: Row("with a quotas document, processor time per event", .nanoseconds, .timesFloor(1.2))
            case .flag: Row("with a feature flag, processor time per event", .nanoseconds, .timesFloor(1.2))
            case .traits: Row("with new traits for each 100 events, processor time per event", .nanoseconds)
            case .hold: Row("held until all are stored, processor time per event", .nanoseconds)
            case .outcomes: Row("with a listener of outcomes, processor time per event", .nanoseconds)
            }
        }
    }

    private static let events = 25_000
    private static let rounds = 5

    let rows = Feature.allCases.map(\.row)
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        _ = try await cost(of: nil, in: "\(setting.directory)/warm")
        var times: [Feature?: Percentiles] = [:]
        for round in 0..<Self.rounds {
            for feature in [nil] + Feature.allCases {
                let name = feature.map { "\($0)" } ?? "plain"
                let time = try await cost(of: feature, in: "\(setting.directory)/\(name)-\(round)")
                times[feature, default: Percentiles()].add(Int64(time))
            }
        }
        func median(_ feature: Feature?) -> Double {
            times[feature]?.sort()
            return times[feature]?.value(at: 0.5) ?? 0
        }
        return Feature.allCases.map { Sample(row: $0.row.name, value: median($0), floor: median(nil)) }
    }

    private func cost(of feature: Feature?, in directory: String) async throws -> Double {
        let live = LiveEngine()
        try await live.open(
            in: directory,
            destinations: LiveEngine.destinations(),
            transport: ReceiverlessTransport(acknowledges: true),
            middleware: feature == .middleware ? [KeyDenylist(["email"])] : []
        )
        let listening = try await begin(feature, in: live)
        let start = ProcessUsage.processorTime
        if feature == .scope {
            withTracking(user: "u-7", session: "s-7", parameters: ["route": "/basket"]) { live.track(0..<Self.events) }
        } else {
            for first in stride(from: 0, to: Self.events, by: 100) {
                if feature == .traits { live.engine.user.setTraits(["level": .int(first)]) }
                live.track(first..<first + 100)
            }
        }
        live.waitUntilStored()
        if feature == .hold { live.engine.release(reason: .maintenance) }
        while await live.deliveredCount() < Self.events * 2 {
            guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
            usleep(1_000)
        }
        let time = ProcessUsage.processorTime - start
        try DLSettings.current.setFlag("checkout", nil, tracker: live.tracker, on: live.engine)
        await live.engine.close(timeout: .zero)
        await listening?.value
        return time / Double(Self.events)
    }

    /// Starts to use a feature.
    ///
    /// - Returns: The task of a listener, which ends when the engine is closed.
    private func begin(_ feature: Feature?, in live: LiveEngine) async throws -> Task<Void, Never>? {
        switch feature {
        case .quotas:
            let document = #"{ "version": 1, "events": { "list_scrolled": { "sample": 0.1 } } }"#
            _ = try await live.engine.setQuotas(document: Array(document.utf8))
        case .flag: try DLSettings.current.setFlag("checkout", "b", tracker: live.tracker, on: live.engine)
        case .hold: live.engine.hold(reason: .maintenance)
        case .outcomes:
            let outcomes = live.engine.outcomes()
            return Task {
                var count = 0
                for await outcome in outcomes { count += outcome.count }
            }
        case nil, .scope, .middleware, .traits: break
        }
        return nil
    }
}
