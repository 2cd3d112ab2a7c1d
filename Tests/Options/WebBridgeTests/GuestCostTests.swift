import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Locks
import Testing
import WebBridge

/// The parts of the engine that a guest's messages take from the app's own events.
@Suite(.timeLimit(.minutes(2))) struct GuestCostTests {
    private let locks = LockCount()
    private let engine: DeliveryEngine
    private let lane: DeliveryLane

    init() {
        let locks = locks
        var runtime = EngineRuntime.system
        // The engine asks for the shard of a call before each lock of the buffer.
        runtime.shard = {
            locks.value.wrappingAdd(1, ordering: .relaxed)
            return 0
        }
        engine = DeliveryEngine(runtime: runtime, clock: TestClock())
        lane = engine.lane(.awesomeTracking(product: "DL"))
    }

    @Test func `a message locks the buffer for its lane and its event, and only an accepted one takes bytes of it`()
        throws
    {
        let bridge = try makeBridge()
        let good = GuestScene.message(#"{"page":"a"}"#)
        let messages = [
            (good, GuestScene.origin), (good, "https://evil.example"), ("{}", GuestScene.origin),
            (String(repeating: "[", count: 1_000), GuestScene.origin),
            (String(repeating: "a", count: 5_000_000), GuestScene.origin),
        ]
        let free = freeBytes
        locks.value.store(0, ordering: .relaxed)

        let reasons = (0..<10_000).map { bridge.receive(messages[$0 % 5].0, from: messages[$0 % 5].1) }
        let (taken, ofMessages) = (free - freeBytes, locks.value.exchange(0, ordering: .relaxed))
        for _ in 0..<100 { lane.track("own") }

        let accepted = reasons.count { $0 == nil }
        let one = "opened".utf8.count + (["page": "a"] as EventParameters).byteCount
        #expect((1...20).contains(accepted))
        #expect(taken == accepted * one)
        #expect(ofMessages == 20_000)
        #expect(locks.value.load(ordering: .relaxed) == 100)
        #expect(engine.buffer.unstoredCount == accepted + 100)
    }

    @Test func `no lock is held while the app returns default parameters`() throws {
        let inner = try makeBridge()
        let bridge = try makeBridge {
            lane.track("own")
            inner.receive(GuestScene.message(#"{"page":"inner"}"#), from: GuestScene.origin)
            return ["channel": "web"]
        }

        let reason = bridge.receive(GuestScene.message(#"{"page":"a"}"#), from: GuestScene.origin)

        #expect(reason == nil)
        #expect(engine.buffer.unstoredCount == 3)
    }

    /// The number of bytes that one more event could take of the buffer.
    private var freeBytes: Int {
        let room = engine.buffer.room
        var (free, taken) = (0, 1 << 30)
        while taken - free > 1 {
            let share = BufferCapacity.Share(bytes: (free + taken) / 2)
            if room.take(share, .high) == nil {
                room.giveBack(share)
                free = (free + taken) / 2
            } else {
                taken = (free + taken) / 2
            }
        }
        return free
    }

    private func makeBridge(defaults: @escaping @Sendable () -> EventParameters = { [:] }) throws -> WebBridge {
        try WebBridge(
            product: "MA",
            schema: GuestScene.schema.utf8,
            origins: [GuestScene.origin],
            on: engine,
            defaults: defaults
        )
    }
}

/// The number of locks of the buffer that its callers took.
private final class LockCount: Sendable {
    let value = Atomic(0)
}
