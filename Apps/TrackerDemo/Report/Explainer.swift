import CoreTracker
import EventDelivery

/// Tells where events are and why.
@MainActor
struct Explainer {
    /// How many events of each lane and kind are told of.
    private static let limit = 3

    /// The engine that knows.
    let engine: DeliveryEngine
    /// What is known of the lanes.
    let lanes: [LaneResult]
    /// The names of events, where the demo knows them.
    let names: [String: String]

    /// A line for each of a choice of events; the lanes' names stand above theirs.
    func lines() async -> [String] {
        var lines: [String] = ["where events are:"]
        var heading: LaneID?
        for event in await engine.knownEvents(limit: Explainer.limit) {
            if heading != event.explanation.lane { lines.append("  \(event.explanation.lane)") }
            heading = event.explanation.lane
            lines.append("    " + line(event.id, event.explanation))
        }
        return heading == nil ? ["where events are: the queue knows of none"] : lines
    }

    /// A line for one event; `nil` when it is not known.
    func line(_ id: EventID) async -> String? {
        guard let explanation = await engine.explain(id) else { return nil }
        return "\(explanation.lane) " + line(id, explanation)
    }

    private func line(_ id: EventID, _ explanation: EventExplanation) -> String {
        let name = names[id.description].map { " \($0)" } ?? ""
        return "\(id)\(name): \(text(of: explanation))"
    }

    private func text(of explanation: EventExplanation) -> String {
        let hindrance = lanes.first { $0.id == explanation.lane }?.hindrance.map { "; \($0)" } ?? ""
        return switch explanation.fate {
        case .buffered: "in memory, not stored yet"
        case .queued: "stored, waits for its turn\(hindrance)"
        case .sending(0): "stored, its batch is next\(hindrance)"
        case .sending(1): "stored, sent once without an acknowledgement\(hindrance)"
        case .sending(let attempts): "stored, sent \(attempts) times without an acknowledgement\(hindrance)"
        case .awaitingConsent: "stored apart until the user agrees or refuses"
        case .quarantined(let reason): "refused by its receiver and kept; \(reason)"
        case .delivered: "acknowledged by its receiver"
        case .dropped(let reason): "lost; \(reason)"
        }
    }
}
