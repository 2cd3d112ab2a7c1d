import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery

/// Tests of the table of the page on sessions: each row with real files, restarts and a virtual clock.
@Suite(.timeLimit(.minutes(5))) struct SessionTableTests {
    /// A row of the page, the steps of its cases, and the sessions of their events.
    ///
    /// The steps are `o` (opens the engine), `x` (closes it; the next process begins with the next step), `app` (an `AppDelivery`), `v`
    /// and `l` (the user begins and ends a visit), `e` (an event), `+29` (minutes), `s` (stores the buffer), and calls.
    /// The sessions are letters in the order of their beginning, `-` for none and `r` for the scope's.
    private static let rows: [(row: String, steps: String, sessions: String)] = [
        ("an event within the timeout of the last one", "o e +29 e +29 e", "AAA"),
        ("an event later than that", "o e +31 e", "AB"),
        ("a visit within the timeout of the last event or visit", "app o v e l +29 v e", "AA"),
        ("a visit within the timeout of the last event or visit", "app o v l +29 v l +29 v e", "A"),
        ("a visit later than that", "app o v e l +31 v e", "AB"),
        ("an event after `AppDelivery.init` and before the first visit", "app o e v e", "AA"),
        ("an event after `AppDelivery.init` and before the first visit", "app o e s v e", "-A"),
        ("an event after `AppDelivery.init` and before the first visit", "app e o s e s v e", "--A"),
        ("an event before `AppDelivery.init`", "e app o v e", "AA"),
        ("an event before `AppDelivery.init`", "e app o +31 v e", "AB"),
        ("an event before `AppDelivery.init`", "e app o s +29 e s v l +29 v e", "AAA"),
        ("an event before `AppDelivery.init`", "e app o s +31 e s v e", "A-B"),
        ("an event before `AppDelivery.init`", "app o v e l x +20 e app o v e", "AAA"),
        ("the user leaves the app", "app o v e +29 l +29 v e", "AA"),
        ("an event in the background, within the timeout of the last activity", "app o v e l +29 e +2 e", "AA-"),
        ("an event in the background, later than that", "app o v e l +31 e", "A-"),
        (
            "a launch in the background, or an extension, within the timeout of a stored session's last activity",
            "app o v e l x +20 app o e s +11 e", "AA-"
        ),
        (
            "a launch in the background, or an extension, within the timeout of a stored session's last activity",
            "app o v e l x +20 app e o e", "AAA"
        ),
        (
            "a launch in the background, or an extension, later than that",
            "app o v e l x +31 app o e s x +31 app o e s v e", "A--B"
        ),
        (
            "events every 29 minutes for longer than the maximum",
            "o" + String(repeating: " e +29", count: 51), String(repeating: "A", count: 50) + "B"
        ),
        ("a change of the wall clock", "o e j+600 e j-1200 e", "AAA"),
        (
            "a restart within the timeout of the last activity", "o e x +29 e o e", "AAA"
        ),
        ("a restart within the timeout of the last activity", "app o v e l x +29 app v o e", "AA"),
        ("a restart later than that, or after the maximum", "o e x +31 e o e", "ABB"),
        (
            "a restart later than that, or after the maximum",
            "o" + String(repeating: " e +29", count: 49) + " e x +29 o e", String(repeating: "A", count: 50) + "B"
        ),
        ("a restart after the wall clock was set back by more than the timeout", "o e x j-31 o e", "AB"),
        ("a restart after the wall clock was set back by more than the timeout", "o e x j-29 o e", "AA"),
        ("`startSession(id:at:)`, `reset(installation:)`, `eraseEverything()`", "o e start e reset e", "ABC"),
        ("`startSession(id:at:)`, `reset(installation:)`, `eraseEverything()`", "o e s erase e x o e", "ABB"),
        ("`user.identify(_:)`, `user.clear()`", "o e identify e clear e", "AAA"),
        ("a scope of `withTracking` with a session's id", "o e scope e", "ArA"),
        ("a scope of `withTracking` with a session's id", "app o scope", "r"),
        ("a scope without one", "o e user", "AA"),
        ("a scope without one", "app o user s", "-"),
    ]

    private let clock = TestClock()
    private let destination = RecordingDestination(lane: .firebase(product: "DL"))
    private let queue: TemporaryQueue

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `each row of the page has a case`() throws {
        let page = URL(filePath: #filePath).appending(
            path: "../../../../../Modules/Delivery/EventDelivery/EventDelivery.docc/Sessions.md"
        ).standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let lines = text.split(separator: "\n").drop { $0 != "| case | session |" }.dropFirst(2)
        let cells = lines.prefix { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
        }

        #expect(cells.count == 20)
        #expect(Set(cells) == Set(Self.rows.map(\.row)))
    }

    @Test(arguments: rows)
    func `each row holds over real restarts`(row: String, steps: String, sessions: String) async throws {
        var engine: DeliveryEngine?
        for step in (steps + " x").split(separator: " ") {
            if step == "x" {
                await engine?.close(timeout: .zero)
                engine = nil
            } else if let minutes = Int64(step.drop { $0 == "j" }) {
                step.hasPrefix("j")
                    ? clock.jumpWall(bySeconds: minutes * 60) : clock.advance(by: .seconds(minutes * 60))
            } else {
                // The next process begins with its first step.
                let current = engine ?? DeliveryEngine(clock: clock)
                engine = current
                try await take(step, with: current)
            }
        }

        var letters: [String: Character] = ["": "-", "r-1": "r"]
        var found = ""
        for id in destination.events.map(\.identity.sessionID) {
            let letter = letters[id] ?? Character(Unicode.Scalar(UInt8(ascii: "A") + UInt8(letters.count - 2)))
            letters[id] = letter
            found.append(letter)
        }
        #expect(found == sessions, "\(row): \(steps)")
    }

    private func take(_ step: Substring, with engine: DeliveryEngine) async throws {
        let lane = engine.lane(destination.lane)
        switch step {
        case "o":
            try await engine.open(
                DeliveryConfiguration(
                    directory: queue.url,
                    destinations: [destination],
                    transport: ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
                )
            )
        case "app": engine.awaitVisit()
        case "v": engine.beginVisit()
        case "l": engine.enterBackground()
        case "e": lane.track("seen")
        case "s": await engine.storeBuffered()
        case "start": engine.startSession()
        case "reset": await engine.reset()
        case "erase": try await engine.eraseEverything()
        case "identify": engine.user.identify("u-1")
        case "clear": engine.user.clear()
        case "scope": withTracking(user: "u-2", session: "r-1") { lane.track("seen") }
        case "user": withTracking(user: "u-2") { lane.track("seen") }
        default: Issue.record("unknown step \(step)")
        }
    }
}
