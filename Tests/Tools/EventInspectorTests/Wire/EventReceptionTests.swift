import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct EventReceptionTests {
    @Test func `if a receiver closes the connection, the row shows the received event`() throws {
        let inspected = try Inspected()
        try inspected.post("/inspector/fault", #"{"service":"awesomeTracking","status":0,"count":1}"#, token: true)

        let status = try inspected.post("/", Inspected.row("a", id: "e1"))
        let first = try inspected.detail(1)?["services"]?[0]
        try inspected.post("/", Inspected.row("a", id: "e1"))

        #expect(status == 0)
        #expect(first?["state"] == "unanswered")
        #expect(try inspected.detail(1)?["services"]?[0]?["state"] == "delivered")
    }

    @Test func `a fault's response has its body and its wait`() throws {
        let inspected = try Inspected()
        let fault = #"{"service":"firebase","status":429,"retryAfter":5,"answer":"slow down"}"#
        try inspected.post("/inspector/fault", fault, token: true)

        let response = try inspected.response("POST", "/mp/collect", Inspected.firebase("a", id: "e1"), token: false)

        #expect(response.status == 429)
        #expect(response.text.contains("Retry-After: 5\r\n"))
        #expect(response.body == "slow down")
    }
}
