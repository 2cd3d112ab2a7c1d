import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// Uncompressed bodies for receivers without support for gzip.
@Suite(.timeLimit(.minutes(1))) struct CompressionTests {
    @Test(arguments: [400, 415, 422])
    func `after a receiver has refused gzip and accepted the same body without it, no body is compressed`(
        status: Int
    ) async throws {
        let scene = try await Scene { request, _ in .status(request.isCompressed ? status : 200) }

        for _ in 1...3 { await scene.deliver() }

        #expect(scene.transport.requests.map(\.isCompressed) == [true, false, false, false])
        #expect(Set(scene.transport.requests.prefix(2).map(\.body)).count == 1)
        #expect(await scene.ledger.delivered == 3)
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a body that is also refused without gzip has the effect of its status`() async throws {
        let scene = try await Scene { _, _ in .status(415) }

        await scene.deliver()

        #expect(scene.transport.requests.map(\.isCompressed) == [true, false])
        #expect(await scene.engine.statistics().first?.pauseReason == .protocolMismatch)
        #expect(await scene.ledger.pending == 1)
    }

    @Test func `a receiver that has accepted a compressed body gets no other form of a refused one`() async throws {
        let scene = try await Scene { _, number in .status(number == 1 ? 200 : 400) }

        for _ in 1...2 { await scene.deliver() }

        #expect(scene.transport.requests.map(\.isCompressed) == [true, true])
        #expect(await scene.ledger.quarantined == 1)
    }

    @Test func `a hold during the compressed request prevents the one without compression`() async throws {
        let engine = Mutex<DeliveryEngine?>(nil)
        let scene = try await Scene { request, _ in
            engine.withLock(\.self)?.hold(reason: .maintenance)
            return .status(request.isCompressed ? 415 : 200)
        }
        engine.withLock { $0 = scene.engine }

        await scene.deliver()
        let held = scene.transport.requests.map(\.isCompressed)
        engine.withLock { $0 = nil }
        scene.engine.release(reason: .maintenance)
        await scene.deliver()

        #expect(held == [true])
        #expect(scene.transport.requests.map(\.isCompressed) == [true, true, false, false])
        #expect(await scene.ledger.delivered == 2)
        try await LedgerCheck.check(scene.engine)
    }

    @Test func `a small body, which is not compressed, is not sent twice`() async throws {
        let scene = try await Scene { _, _ in .status(415) }

        await scene.deliver(textLength: 1)

        #expect(scene.transport.requests.count == 1)
    }
}

/// An engine whose destination allows gzip.
private struct Scene {
    /// Compressible lines.
    private struct Packed: DestinationWrapper {
        let base: any Destination = LineDestination(endpoint: URL(string: "https://h.example") ?? URL(filePath: "/"))

        func request(for batch: OutgoingBatch) -> HTTPRequest {
            var request = base.request(for: batch)
            request.allowsGzip = true
            return request
        }
    }

    let engine = DeliveryEngine(clock: TestClock())
    let transport: ScriptedTransport
    private let destination = Packed()

    init(_ script: @escaping ScriptedTransport.Script) async throws {
        transport = ScriptedTransport(script: script)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
    }

    var ledger: LaneLedger { get async { await engine.statistics().first?.ledger ?? LaneLedger() } }

    /// Delivers a batch with one event.
    func deliver(textLength: Int = 2_000) async {
        let text = ParameterValue.string(String(repeating: "x", count: textLength))
        engine.lane(destination.lane).track("viewed", parameters: ["text": text])
        _ = await engine.flush(timeout: .seconds(5))
    }
}
