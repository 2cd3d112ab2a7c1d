import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    private static let page = CollectorResponse(200, text: "{\"ok\":true}")
    private static let deadline = Duration.milliseconds(300)

    /// Checks of requests that would never end without limits.
    static let endless: [Check] = [
        Check("a request to a server that never responds ends at the deadline") { transport in
            let result = try await outcome(of: .neverRespond, over: transport, deadline: deadline)

            try expect(result == .failure(.timedOut), "\(result)")
        },
        Check("a response that trickles ends at the deadline") { transport in
            let actions: [CollectorAction] = [
                .trickle(page, every: .milliseconds(50)), .delay(.seconds(60), then: .accept),
            ]
            for action in actions {
                let result = try await outcome(of: action, over: transport, deadline: deadline)

                try expect(result == .failure(.timedOut), "\(action): \(result)")
            }
        },
        Check("a request to a server that reads the body slowly ends at the deadline") { transport in
            let script = CollectorScript.accept.receiving { _ in .slowly(bytes: 1, every: .milliseconds(100)) }
            let collector = try LoopbackCollector(script: script)
            let body = String(repeating: "x", count: 20_000_000)

            let result = try await outcome(of: request(to: collector, body: body), over: transport, deadline: deadline)

            try expect(result == .failure(.timedOut), "\(result)")
        },
        Check("a request whose deadline has passed sends nothing") { transport in
            let collector = try LoopbackCollector()

            for deadline in [Duration.zero, .seconds(-1)] {
                let result = try await outcome(of: request(to: collector), over: transport, deadline: deadline)
                try expect(result == .failure(.timedOut), "\(result)")
            }

            try expect(collector.tally.connections == 0, "\(collector.tally)")
        },
        Check("an endless head ends long before the deadline, and so does its connection") { transport in
            let actions: [CollectorAction] = [
                .endlessHead(status: 200), .interim(status: 100, count: 0, then: nil),
                .interim(status: 103, count: 0, then: nil), .respond(.hugeHeader(bytes: 10_000_000)),
            ]
            for action in actions {
                let collector = try LoopbackCollector(script: .always(action))

                let result = try await outcome(of: request(to: collector), over: transport, deadline: .seconds(30))

                guard case .failure(let error) = result, error != .timedOut else {
                    throw ContractViolation("\(action): \(result)")
                }
                await collector.tally { $0.openConnections == 0 }
            }
        },
        Check("an endless body ends long before the deadline, and so does its connection") { transport in
            let collector = try LoopbackCollector(script: .always(.endlessBody(page)))

            let response = try await outcome(of: request(to: collector), over: transport, deadline: .seconds(30)).get()

            try expect(response.extent == .limited, "\(response.extent)")
            await collector.tally { $0.openConnections == 0 }
        },
        Check("a gzip bomb is never decompressed beyond the maximum size") { transport in
            let bomb = CollectorResponse.gzipBomb(unpackedBytes: 30_000_000)

            let response = try await outcome(of: .respond(bomb), over: transport, deadline: .seconds(30)).get()

            try expect(response.status == 200 && response.extent == .limited, "\(response.extent)")
            try expect(response.body.count <= 4 * 1024 * 1024, "\(response.body.count) bytes were kept")
        },
    ]

    /// Checks of cancelled requests.
    static let interruptions: [Check] = [
        Check("a cancelled task sends nothing") { transport in
            let collector = try LoopbackCollector()

            let result = try await withThrowingTaskGroup(of: Result<HTTPResponse, TransportError>.self) { group in
                group.cancelAll()
                group.addTask { try await outcome(of: request(to: collector), over: transport) }
                return try await group.next()
            }

            try expect(result == .failure(.cancelled), "\(String(describing: result))")
            try expect(collector.tally.connections == 0, "\(collector.tally)")
        },
        Check("a cancellation ends a request that waits for its response") { transport in
            let collector = try LoopbackCollector(script: .always(.hold(CollectorHold(), then: .accept)))
            let sending = Task { try await outcome(of: request(to: collector), over: transport) }
            _ = await collector.requests(count: 1)

            sending.cancel()

            let result = try await sending.value
            try expect(result == .failure(.cancelled), "\(result)")
            await collector.tally { $0.openConnections == 0 }
        },
        Check("a cancellation in the middle of the body ends the request, which never arrives") { transport in
            let hold = CollectorHold()
            let script = CollectorScript.accept.receiving { _ in .hold(hold, afterBytes: 1000) }
            let collector = try LoopbackCollector(script: script)
            let body = String(repeating: "x", count: 20_000_000)
            let sending = Task { try await outcome(of: request(to: collector, body: body), over: transport) }
            await collector.tally { $0.startedRequests == 1 }

            sending.cancel()
            let result = try await sending.value
            hold.release()

            try expect(result == .failure(.cancelled), "\(result)")
            let tally = await collector.tally { $0.openConnections == 0 }
            try expect(tally.requests == 0, "\(tally)")
        },
        Check("each of many concurrent requests is cancelled or completed independently") { transport in
            let hold = CollectorHold()
            let script = CollectorScript.accept.when({ $0.contains("held") }, .hold(hold, then: .accept))
            let collector = try LoopbackCollector(script: script)
            let held = Task { try await outcome(of: request(to: collector, body: "held"), over: transport) }
            let dropped = Task { try await outcome(of: request(to: collector, body: "held"), over: transport) }
            _ = await collector.requests(count: 2)

            let free = try await outcome(of: request(to: collector), over: transport)
            dropped.cancel()
            let cancelled = try await dropped.value
            hold.release()

            try expect((try? free.get().status) == 200, "\(free)")
            try expect(cancelled == .failure(.cancelled), "\(cancelled)")
            try expect((try? await held.value.get().status) == 200, "the held request got no response")
        },
    ]
}
