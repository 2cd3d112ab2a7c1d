import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventQuotas
@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct CurrentQuotasTests {
    private let buffer = EventBuffer(clock: TestClock(), eventTime: nil, capacity: 100)
    private let none = RemoteQuotas()

    @Test func `a thread uses each document from its call on`() throws {
        let documents = [try switchOff("viewed"), try switchOff("tapped"), none]
        var counts: [Int] = []

        for document in documents {
            buffer.quotas.accept(document)
            for name in ["viewed", "tapped"] { buffer.lane.track(name, parameters: [:]) }
            counts.append(buffer.ledgers[0].ledger.dropped[.switchedOff] ?? 0)
        }

        // The second document also drops the buffered event, although the first document has accepted it.
        #expect(counts == [1, 3, 3])
        #expect(buffer.takeAll().map(\.name) == ["viewed", "viewed", "tapped"])
    }

    @Test func `without quotas, no call reads them`() {
        buffer.quotas.configure(.none)
        buffer.acceptEvents(sessions: SessionRules(timeout: nil, maximum: nil), deviceID: "d")
        buffer.quotas.restore(nil)

        #expect(buffer.admission.version == 0)
        #expect(buffer.admission.frozen.rules == nil)
    }

    @Test func `the same document again changes nothing and restarts no count`() throws {
        let document = try quotas(#"{"version": 1, "events": {"viewed": {"perMinute": 1}}}"#)
        buffer.quotas.accept(document)
        buffer.lane.track("viewed", parameters: [:])
        buffer.quotas.recordStored(document)
        let version = buffer.admission.version

        buffer.quotas.accept(document)
        buffer.lane.track("viewed", parameters: [:])

        #expect(buffer.admission.version == version)
        #expect(buffer.quotas.unstored == nil)
        #expect(buffer.ledgers[0].ledger.dropped == [.rateCapped: 1])
    }

    @Test func `a document that was replaced while it was stored is not the stored one`() throws {
        let (first, second) = (try switchOff("viewed"), try switchOff("tapped"))
        buffer.quotas.accept(first)
        buffer.quotas.accept(second)

        buffer.quotas.recordStored(first)

        #expect(buffer.quotas.unstored == second)
    }

    @Test func `a stored document replaces a stored one of this process, but not an unstored one`() throws {
        let (own, other) = (try switchOff("viewed"), try switchOff("tapped"))
        buffer.quotas.accept(own)

        buffer.quotas.restore(other)
        let unstored = buffer.quotas.unstored
        buffer.quotas.recordStored(own)
        buffer.quotas.restore(other)
        buffer.lane.track("tapped", parameters: [:])

        #expect(unstored == own)
        #expect(buffer.quotas.unstored == nil)
        #expect(buffer.ledgers[0].ledger.dropped == [.switchedOff: 1])
    }

    @Test func `the reason of a refused event is known, but not that of an event without consent`() async throws {
        buffer.quotas.accept(try switchOff("viewed"))

        let refused = await buffer.lane.trackUntilStored("viewed", parameters: [:])
        buffer.dropDenied([], serving: [ServedLane(LineDestination().lane, purpose: .analytics)])
        buffer.accept([.analytics: .granted], fallback: .unknown, through: 0, isStored: true)
        buffer.decide(.denied, about: .analytics)
        let denied = await buffer.lane.trackUntilStored("tapped", parameters: [:])

        #expect(buffer.explanation(of: refused.id)?.status == .dropped(.switchedOff))
        #expect(denied.outcome == .dropped(.consentDenied))
        #expect(buffer.explanation(of: denied.id) == nil)
    }

    private func switchOff(_ name: String) throws -> RemoteQuotas {
        try quotas(#"{"version": 1, "events": {"\#(name)": {"off": true}}}"#)
    }

    private func quotas(_ document: String) throws -> RemoteQuotas {
        try JSONDecoder().decode(RemoteQuotas.self, from: Data(document.utf8))
    }
}

extension EventBuffer {
    /// The lane that the tests track on.
    fileprivate var lane: DeliveryLane { lane(LineDestination().lane) }

    /// Takes all buffered events, in their order.
    fileprivate func takeAll() -> [BufferedEvent] {
        var entries: [BufferedEvent] = []
        takeGroup(all: true, now: clock.monotonicTime()).forEach { entries.append($0) }
        return entries
    }
}
