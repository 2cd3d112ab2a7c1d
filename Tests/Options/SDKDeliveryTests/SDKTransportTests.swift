import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import Testing

@testable import SDKDelivery

@Suite struct SDKTransportTests {
    @Test(.timeLimit(.minutes(5)))
    func `an SDK that does not return is abandoned at the deadline, and is not called again`() async throws {
        let stuck = StuckSDK()
        let request = request(events: 3)

        let task = Task { try await stuck.transport.send(request, timeout: .seconds(30)) }
        await stuck.waitForCall()
        _ = await stuck.clock.nextSleep { $0 == .seconds(30) }
        stuck.clock.advance(by: .seconds(30))

        await #expect(throws: TransportError.timedOut) { try await task.value }
        stuck.release()
        await stuck.waitForReturn()

        #expect(stuck.calls == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `after a cancellation, an SDK that does not return is abandoned, and is not called again`() async throws {
        let stuck = StuckSDK()
        let request = request(events: 3)

        let task = Task { try await stuck.transport.send(request, timeout: .seconds(600)) }
        await stuck.waitForCall()
        task.cancel()
        _ = await stuck.clock.nextSleep { $0 == .seconds(1) }
        stuck.clock.advance(by: .seconds(1))

        await #expect(throws: TransportError.cancelled) { try await task.value }
        stuck.release()
        await stuck.waitForReturn()
        #expect(stuck.calls == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a cancellation ends when the call in progress has returned`() async throws {
        for count in [UInt16(1), 2] {
            let stuck = StuckSDK()
            let request = request(events: count)
            let task = Task { try await stuck.transport.send(request, timeout: .seconds(600)) }
            await stuck.waitForCall()

            task.cancel()
            stuck.release()
            let result = await task.result

            #expect((try? result.get())?.status == (count == 1 ? 200 : nil))
            #expect(stuck.calls == 1)
        }
    }

    @Test func `only the unreadable event of a batch is refused`() async throws {
        let transport = SDKTransport { _ in }
        var request = request(events: 1)
        request.body += Array("\nnonsense\n{}".utf8)

        let response = try await transport.send(request, timeout: .seconds(5))

        let result = SDKResponse.result(for: response, events: 3)
        #expect(result == .partial([1: .refused("unreadable"), 2: .refused("unreadable")]))
    }

    private func request(events count: UInt16) -> HTTPRequest {
        let fragments = (1...count).map { number in
            var json = JSONWriter()
            SDKEvent(id: .stub(number), name: "e", time: Timestamp(microseconds: 1)).write(into: &json)
            return json.bytes
        }
        return HTTPRequest(url: .init(filePath: "/sdk"), body: Array(fragments.joined(separator: "\n".utf8)))
    }
}

/// An SDK whose calls block until they are released, and ignore cancellation, and a manual clock.
private final class StuckSDK: Sendable {
    let clock = TestClock()
    private let count = Mutex(0)
    private let called = AsyncStream.makeStream(of: Void.self)
    private let released = AsyncStream.makeStream(of: Void.self)
    private let returned = AsyncStream.makeStream(of: Void.self)

    var calls: Int { count.withLock { $0 } }

    var transport: SDKTransport {
        SDKTransport(clock: clock) { [self] _ in
            count.withLock { $0 += 1 }
            called.continuation.yield()
            let release = released.stream
            await Task { for await _ in release { return } }.value
            returned.continuation.yield()
        }
    }

    func release() { released.continuation.yield() }

    func waitForCall() async { for await _ in called.stream { return } }

    func waitForReturn() async { for await _ in returned.stream { return } }
}
