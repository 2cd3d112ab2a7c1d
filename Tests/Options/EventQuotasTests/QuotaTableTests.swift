import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventQuotas

@Suite(.timeLimit(.minutes(5))) struct QuotaTableTests {
    private let lane = LaneID(product: "DL", service: "firebase")
    private let start = MonotonicInstant(nanoseconds: 0)

    // MARK: The configuration

    @Test func `events of one name beyond the configuration's rate are refused, but not those of another`() throws {
        let table = try table(TrackQuotas(eventsPerMinute: 2))

        let refusals = (1...3).map { _ in refusal(table, "viewed") }

        #expect(refusals == [nil, nil, .rateCapped])
        #expect(refusal(table, "tapped") == nil)
        #expect(refusal(table, "viewed", at: start.advanced(by: .seconds(60))) == nil)
    }

    @Test(arguments: [TrackQuotas(eventsPerMinute: 1), .none])
    func `a thread that read the clock in the previous minute does not restart the count`(quotas: TrackQuotas) throws {
        let table = try table(quotas, #"{"events": {"tapped": {"perMinute": 1}}}"#)
        let name = quotas == .none ? "tapped" : "viewed"
        let after = MonotonicInstant(nanoseconds: 60_000_000_000)
        let before = MonotonicInstant(nanoseconds: 59_999_999_999)

        let refusals = [after, before, after].map { refusal(table, name, at: $0) }

        #expect(refusals == [nil, .rateCapped, .rateCapped])
    }

    @Test(arguments: [(0.0, 0...0), (1.0, 1_000...1_000), (0.25, 200...300)])
    func `the sampled share of the sessions is accepted`(share: Double, expected: ClosedRange<Int>) throws {
        let configured = try table(TrackQuotas(sampling: ["viewed": share]))
        let fetched = try table(.none, #"{"lanes": {"DL/firebase": {"sample": \#(share)}}}"#)

        for table in [configured, fetched] {
            let taken = (1...1_000).count { refusal(table, "viewed", session: "session \($0)") == nil }

            #expect(expected.contains(taken))
        }
    }

    @Test func `shares and rates that are set later are bounded too`() {
        var quotas = TrackQuotas()

        quotas.sampling["viewed"] = .nan
        quotas.sampling["tapped"] = 7
        quotas.eventsPerMinute = -1

        #expect(quotas == TrackQuotas(sampling: ["viewed": 1, "tapped": 1], eventsPerMinute: 0))
    }

    @Test func `in a session, either all events of a name are accepted or none`() throws {
        let table = try table(TrackQuotas(sampling: ["viewed": 0.5]))

        for session in 1...50 {
            let answers = (1...5).map { _ in refusal(table, "viewed", session: "\(session)") }
            #expect(Set(answers).count == 1)
        }
    }

    @Test(arguments: SamplingUnit.allCases)
    func `a unit in a smaller sample is in every larger one, for each name`(unit: SamplingUnit) throws {
        let shares = [0.1, 0.3, 0.6]
        let names = Dictionary(uniqueKeysWithValues: shares.map { ("at \($0)", $0) })
        let table = try table(TrackQuotas(sampling: names, samplingUnit: unit))

        for number in 1...300 {
            let identity = Identity.stub(deviceID: "device \(number)", sessionID: "session \(number)")
            let taken = shares.map { table.refusal(of: "at \($0)", on: lane, identity, countedAt: nil) == nil }
            #expect(taken == taken.sorted { !$0 && $1 })
        }
    }

    @Test(arguments: [nil, "session", "installation"])
    func `the unit of the document precedes that of the configuration`(unit: String?) throws {
        let text = unit.map { #""unit": "\#($0)", "# } ?? ""
        let document = "{\(text)\"products\": {\"DL\": {\"sample\": 0.5}}}"
        let table = try table(TrackQuotas(samplingUnit: .installation), document)

        let answers = (1...50).map { number in
            table.refusal(of: "viewed", on: lane, .stub(deviceID: "d", sessionID: "session \(number)"), countedAt: nil)
        }

        #expect(Set(answers).count == (unit == "session" ? 2 : 1))
    }

    @Test func `an event without a session is sampled by its installation`() throws {
        let table = try table(TrackQuotas(sampling: ["viewed": 0.5]))

        let answers = (1...50).map {
            table.refusal(of: "viewed", on: lane, .stub(deviceID: "\($0)", sessionID: ""), countedAt: nil)
        }

        #expect(Set(answers).count == 2)
    }

    @Test func `sampling waits until the installation is known`() throws {
        let table = try table(TrackQuotas(sampling: ["viewed": 0]))

        #expect(table.refusal(of: "viewed", on: lane, .stub(deviceID: ""), countedAt: nil) == nil)
    }

    // MARK: The document

    @Test func `a share of a product includes or excludes a session for all of its events together`() throws {
        let table = try table(.none, #"{"products": {"DL": {"sample": 0.5}}}"#)
        let other = LaneID(product: "DL", service: "adobe")

        for session in 1...50 {
            let answers = ["viewed", "tapped"].flatMap { name in
                [lane, other].map { refusal(table, name, on: $0, session: "\(session)") }
            }
            #expect(Set(answers).count == 1)
        }
    }

    @Test(arguments: [
        (#"{"events": {"viewed": {"off": false}}, "lanes": {"DL/firebase": {"off": true}}}"#, nil),
        (#"{"events": {"other": {"off": false}}, "lanes": {"DL/firebase": {"off": true}}}"#, DropReason.switchedOff),
        (#"{"lanes": {"DL/firebase": {"off": false}}, "products": {"DL": {"off": true}}}"#, nil),
        (#"{"lanes": {"DL/adobe": {"off": false}}, "products": {"DL": {"off": true}}}"#, .switchedOff),
        (#"{"lanes": {"TY/firebase": {"off": true}}, "products": {"TY": {"off": true}}}"#, nil),
        (#"{"lanes": {"DL/firebase": {"events": {"viewed": {"off": true}}}}}"#, .switchedOff),
        (#"{"lanes": {"DL/firebase": {"events": {"other": {"off": true}}}}}"#, nil),
        (#"{"lanes": {"DL/adobe": {"events": {"viewed": {"off": true}}}}}"#, nil),
        (
            #"{"events": {"viewed": {"off": true}}, "lanes": {"DL/firebase": {"events": {"viewed": {"off": false}}}}}"#,
            nil
        ),
        (#"{"lanes": {"DL/firebase": {"off": true, "events": {"viewed": {"perMinute": 0}}}}}"#, .switchedOff),
        (#"{"lanes": {"DL/firebase": {"perMinute": 9, "events": {"viewed": {"perMinute": 0}}}}}"#, .rateCapped),
        (#"{"events": {"viewed": {"sample": 1}}, "products": {"DL": {"sample": 0}}}"#, nil),
        (#"{"events": {"viewed": {"perMinute": 0}}, "lanes": {"DL/firebase": {"perMinute": 9}}}"#, .rateCapped),
        // Each limit comes from the first entry with this limit.
        (#"{"events": {"viewed": {"sample": 1}}, "products": {"DL": {"off": true}}}"#, .switchedOff),
        (#"{"events": {"viewed": {"perMinute": 9}}, "lanes": {"DL/firebase": {"sample": 0}}}"#, .sampledOut),
    ])
    func `an entry of the event's name precedes that of its lane, which precedes that of its product`(
        document: String,
        expected: DropReason?
    ) throws {
        let table = try table(.none, document)

        #expect(refusal(table, "viewed") == expected)
    }

    @Test(arguments: [
        (#"{"products": {"DL": {"sample": 1, "perMinute": 9}}}"#, [nil, nil]),
        (#"{"events": {"viewed": {"sample": 1}}}"#, [nil, DropReason.rateCapped]),
        (#"{"events": {"viewed": {"perMinute": 9}}}"#, [.sampledOut, .sampledOut]),
        (#"{"events": {"viewed": {"off": false}}}"#, [.sampledOut, .sampledOut]),
    ])
    func `a limit of the document precedes that of the configuration, and leaves the others in effect`(
        document: String,
        expected: [DropReason?]
    ) throws {
        let table = try table(TrackQuotas(sampling: ["viewed": 0], eventsPerMinute: 1), document)

        let refusals = (1...2).map { _ in refusal(table, "viewed") }

        #expect(refusals == expected)
    }

    @Test func `all events of an entry without a rate of their own share its rate, for a minute`() throws {
        let table = try table(
            .none,
            #"{"events": {"paid": {"perMinute": 9}}, "products": {"DL": {"perMinute": 3}}}"#
        )
        let names = ["viewed", "tapped", "paid", "viewed", "viewed", "paid"]

        let refusals = names.map { refusal(table, $0) }

        #expect(refusals == [nil, nil, nil, nil, .rateCapped, nil])
        #expect(refusal(table, "viewed", at: start.advanced(by: .seconds(60))) == nil)
    }

    @Test func `a rate that changes in a minute continues the count of its entry`() throws {
        let first = try table(.none, #"{"events": {"viewed": {"perMinute": 2}}}"#)
        _ = (1...2).map { _ in refusal(first, "viewed") }

        let second = try table(.none, #"{"events": {"viewed": {"perMinute": 3}}}"#, after: first)
        let refusals = (1...2).map { _ in refusal(second, "viewed") }

        #expect(refusals == [nil, .rateCapped])
    }

    @Test func `in a minute, the names beyond 4,096 share one rate`() throws {
        let table = try table(TrackQuotas(eventsPerMinute: 1))
        let names = (1...4_096).map { "name \($0)" }
        let first = names.map { refusal(table, $0) }

        let further = ["x", "y", "z"].map { refusal(table, $0) }

        #expect(first.allSatisfy { $0 == nil })
        #expect(further == [nil, .rateCapped, .rateCapped])
        #expect(refusal(table, "name 1") == .rateCapped)
        #expect(refusal(table, "y", at: start.advanced(by: .seconds(60))) == nil)
    }

    @Test func `without a time, an event does not count towards a rate`() throws {
        let table = try table(.none, #"{"events": {"viewed": {"perMinute": 1}}}"#)

        let uncounted = (1...3).map { _ in table.refusal(of: "viewed", on: lane, .stub(), countedAt: nil) }

        #expect(uncounted == [nil, nil, nil])
        #expect(refusal(table, "viewed") == nil)
    }

    @Test func `threads together do not exceed a rate`() async throws {
        let table = try table(.none, #"{"lanes": {"DL/firebase": {"perMinute": 1000}}}"#)

        let accepted = await withTaskGroup(of: Int.self) { group in
            for _ in 1...4 {
                group.addTask { [self] in (1...1_000).count { _ in refusal(table, "viewed") == nil } }
            }
            return await group.reduce(0, +)
        }

        #expect(accepted == 1_000)
    }

    private func table(
        _ configuration: TrackQuotas,
        _ document: String = "{}",
        after earlier: QuotaTable? = nil
    ) throws -> QuotaTable {
        let text = document.replacing("{", with: #"{"version": 1, "#, maxReplacements: 1).replacing(", }", with: "}")
        let quotas = try JSONDecoder().decode(RemoteQuotas.self, from: Data(text.utf8))
        let names = configuration.eventsPerMinute.map(NameRates.init(maximum:))
        return try #require(QuotaTable(quotas, over: configuration, names: names, after: earlier))
    }

    private func refusal(
        _ table: QuotaTable,
        _ name: String,
        on lane: LaneID? = nil,
        session: String = "s",
        at now: MonotonicInstant? = nil
    ) -> DropReason? {
        table.refusal(of: name, on: lane ?? self.lane, .stub(sessionID: session), countedAt: now ?? start)
    }
}
