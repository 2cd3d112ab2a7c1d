import AwesomeTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import Testing

@testable import TrackerBenchmark

@Suite struct HandWrittenTests {
    @Test func `the floor writes the bytes that the destination for Firebase writes`() throws {
        let event = ShopEvent(number: 7)
        let outgoing = event.outgoing(0)
        var encoder = EventEncoder()
        var bodies = HandWritten(outgoing.identity)

        try LiveEngine.firebase().encode(outgoing, into: &encoder)
        bodies.appendFirebase(event, id: outgoing.id, time: outgoing.time)

        #expect(String(decoding: bodies.bytes, as: UTF8.self) == String(decoding: encoder.bytes, as: UTF8.self))
    }

    @Test func `the floor writes the bytes that the destination for AwesomeTracking writes`() throws {
        let event = ShopEvent(number: 7)
        let outgoing = event.outgoing(1)
        var encoder = EventEncoder()
        var bodies = HandWritten(outgoing.identity)

        try LiveEngine.awesomeTracking().encode(outgoing, into: &encoder)
        bodies.appendAwesomeTracking(event, id: outgoing.id, time: outgoing.time, sequence: 1)

        #expect(String(decoding: bodies.bytes, as: UTF8.self) == String(decoding: encoder.bytes, as: UTF8.self))
    }
}

@Suite struct OrderCheckTests {
    @Test func `events of two threads may mix if each thread's are in order`() {
        let check = OrderCheck(lanes: 1)

        for (thread, number) in [(0, 0), (1, 0), (1, 1), (0, 1)] { check.record(event(thread, number)) }

        #expect(check.fault(expected: 2, threads: 2) == nil)
    }

    @Test func `an event out of order within its thread is a fault`() {
        let check = OrderCheck(lanes: 1)

        for number in [1, 0] { check.record(event(0, number)) }

        #expect(check.fault(expected: 2, threads: 1) == "2 events are out of order")
    }

    @Test func `a missing event is a fault`() {
        let check = OrderCheck(lanes: 1)

        check.record(event(0, 0))

        #expect(check.fault(expected: 2, threads: 1) == "events are missing")
        #expect(check.fault(expected: 1, threads: 2) == "events are missing")
    }

    private func event(_ thread: Int, _ number: Int) -> OutgoingEvent {
        .stub(parameters: ["thread": .int(thread), "number": .int(number)])
    }
}

@Suite struct ClickstreamTests {
    @Test func `generated rows have all columns and mostly views`() {
        let rows = (0..<100).map(Clickstream.made)

        #expect(rows.allSatisfy { $0.hasSuffix("\n") && $0.split(separator: ",").count == 9 })
        #expect(rows.count { $0.contains(",view,") } == 70)
        #expect(Set(rows.map { $0.split(separator: ",").last }).count == 5)
    }

    @Test func `the rows of a file are repeated under its header`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, target) = (folder.appending(path: "source").path, folder.appending(path: "target").path)
        try "columns\none\ntwo\n".write(toFile: source, atomically: true, encoding: .utf8)

        try Clickstream.write(rows: 3, to: target, from: source)

        #expect(try String(contentsOfFile: target, encoding: .utf8) == "columns\none\ntwo\none\n")
    }
}
