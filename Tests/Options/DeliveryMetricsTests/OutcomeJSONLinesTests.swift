import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct OutcomeJSONLinesTests {
    private let lane = LaneID(product: "T", service: "li\"nes")
    private let time = Timestamp(microseconds: 1_772_359_200_123_456)

    @Test func `an outcome is one line of JSON, with the same members in each`() {
        let id = EventID(high: 0x0190_0000_0000_7001, low: 0x8000_0000_0000_0001)

        let stored = EventOutcome(.stored, lane: lane, id: id, time: time)
        let lost = EventOutcome(.dropped(.bufferFull), lane: lane, id: id, time: time, missed: 3)
        let erased = EventOutcome(.dropped(.erased), lane: lane, id: nil, count: 12, time: time)

        let start = #"{"time":"2026-03-01T10:00:00.123Z","lane":"T/li\"nes","outcome":"#
        let text = #""id":"01900000-0000-7001-8000-000000000001""#
        #expect(stored.jsonLine == start + #""stored","# + text + #","count":1,"reason":"","missed":0}"#)
        #expect(lost.jsonLine == start + #""dropped","# + text + #","count":1,"reason":"buffer_full","missed":3}"#)
        #expect(erased.jsonLine == start + #""dropped","id":"","count":12,"reason":"erased","missed":0}"#)
    }

    @Test func `each outcome becomes a line of a file until the engine is closed`() async throws {
        let harness = LaneHarness()
        let pipe = Pipe()
        let outcomes = harness.engine.outcomes()

        async let written: Void = outcomes.writeLines(to: pipe.fileHandleForWriting.fileDescriptor)
        try await harness.open()
        harness.track(1...3)
        _ = await harness.engine.flush(timeout: .seconds(5))
        await harness.engine.close(timeout: .zero)
        await written
        try pipe.fileHandleForWriting.close()

        let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count == 12)
        let kinds = try lines.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }.map { $0?["outcome"] as? String }
        #expect(kinds.filter { $0 == "delivered" }.count == 3)
    }

    @Test func `a full pipe does not delay the engine, and the lines report what was missed`() async throws {
        let harness = LaneHarness()
        let pipe = Pipe()
        let outcomes = harness.engine.outcomes(bufferingNewest: 16)

        async let written: Void = outcomes.writeLines(to: pipe.fileHandleForWriting.fileDescriptor)
        try await harness.open()
        // About 150 bytes a line: several times the capacity of a pipe.
        for group in 0..<20 {
            harness.track(group * 100..<(group + 1) * 100)
            await harness.engine.storeBuffered()
        }
        let report = await harness.engine.flush(timeout: .seconds(30))
        await harness.engine.close(timeout: .zero)
        let reading = pipe.fileHandleForReading
        let text = Task.detached { reading.readDataToEndOfFile() }
        await written
        try pipe.fileHandleForWriting.close()

        var total = 0
        for line in String(decoding: await text.value, as: UTF8.self).split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            total += 1 + (object?["missed"] as? Int ?? 0)
        }
        #expect(report.isDrained)
        #expect(total == 8_000)
    }

    @Test func `a cancelled task ends the bridge although nobody reads the pipe`() async throws {
        let harness = LaneHarness()
        let pipe = Pipe()
        let outcomes = harness.engine.outcomes(bufferingNewest: 100_000)
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        try await harness.open()
        harness.track(0..<2_000)
        #expect(await harness.engine.flush(timeout: .seconds(30)).isDrained)

        let bridge = Task { await outcomes.writeLines(to: descriptor) }
        // A pipe that takes no more is not ready.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while unsafe poll(&ready, 1, 0) == 1 { await Task.yield() }
        bridge.cancel()
        await bridge.value

        try pipe.fileHandleForWriting.close()
        #expect(!pipe.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }

    @Test func `a pipe whose reader has ended ends the bridge and not the process`() async throws {
        let harness = LaneHarness()
        let pipe = Pipe()
        let outcomes = harness.engine.outcomes()
        try await harness.open()

        harness.track([1])
        await harness.engine.storeBuffered()
        try pipe.fileHandleForReading.close()
        await outcomes.writeLines(to: pipe.fileHandleForWriting.fileDescriptor)

        try pipe.fileHandleForWriting.close()
        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
    }

    #if os(Linux)
    @Test func `a full disk delays the lines and does not end the bridge`() async throws {
        let harness = LaneHarness()
        let outcomes = harness.engine.outcomes()
        let pipe = Pipe()
        try await harness.open()
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        defer { close(descriptor) }

        harness.track([1])
        await harness.engine.storeBuffered()
        async let written: Void = outcomes.writeLines(to: descriptor)
        // A write that begins later finds the pipe, so the test does not depend on the time.
        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
        #expect(dup2(pipe.fileHandleForWriting.fileDescriptor, descriptor) == descriptor)
        await harness.engine.close(timeout: .zero)
        await written
        try pipe.fileHandleForWriting.close()
        #expect(dup2(pipe.fileHandleForReading.fileDescriptor, descriptor) == descriptor)

        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains(#""outcome":"stored""#), "\(text)")
    }
    #endif

    @Test func `a closed file ends the bridge`() async throws {
        let harness = LaneHarness()
        let outcomes = harness.engine.outcomes()
        try await harness.open()

        harness.track([1])
        await harness.engine.storeBuffered()
        await outcomes.writeLines(to: -1)

        #expect(await harness.engine.flush(timeout: .seconds(5)).isDrained)
    }
}
