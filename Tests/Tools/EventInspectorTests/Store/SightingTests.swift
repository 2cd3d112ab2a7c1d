import Testing

@testable import EventInspector

@Suite struct SightingTests {
    private func sighting() -> Sighting { Sighting(service: "firebase", id: "e1", name: "a", time: 0) }

    private func attempt(_ time: Int64) -> DeliveryAttempt {
        DeliveryAttempt(end: .sender, time: time, status: 503, response: "", result: "")
    }

    @Test func `the first and latest attempts are kept, and the others are counted`() {
        var sighting = sighting()

        for time in 0..<1_000 { sighting.add(attempt(Int64(time))) }

        #expect(sighting.attempts.count == 24)
        #expect(sighting.omittedAttempts == 976)
        #expect(sighting.attempts.prefix(3).map(\.time) == [0, 1, 2])
        #expect(sighting.attempts.last?.time == 999)
    }

    @Test func `the receiver determines the status only while the sender waits for a response`() {
        var sighting = sighting()
        let before = sighting.status.state

        sighting.reportedStatus = SenderReport.Status(state: "sending", reason: "sent 2 times")
        let sending = sighting.status
        sighting.reportedStatus = SenderReport.Status(state: "dropped", reason: "expired")

        #expect(before == "queued")
        #expect(sending == SenderReport.Status(state: "sending", reason: "sent 2 times"))
        #expect(sighting.status.reason == "expired")
    }
}
