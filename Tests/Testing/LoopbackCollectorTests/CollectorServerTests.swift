import Foundation
import Testing

@testable import LoopbackCollector

/// Tests a collector in a process with few file descriptors.
@Suite(.timeLimit(.minutes(5))) struct CollectorServerTests {
    @Test func `without descriptors, the connection that was idle longest is closed for the next one`() async {
        await #expect(processExitsWith: .success) {
            let collector = try LoopbackCollector()
            let sockets = (0..<30).map { _ in RawClient.opened() }
            try Descriptors.leave(20)

            let clients = try sockets.map { socket in
                let client = try RawClient(collector, over: socket)
                client.post("/", "")
                #expect(client.read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
                return client
            }

            #expect(collector.tally.failedAccepts > 0)
            #expect(clients[0].readToEnd().isEmpty)
            clients[29].post("/", "")
            #expect(clients[29].read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
        }
    }

    @Test func `without descriptors and idle connections, it waits without spinning and then continues`() async {
        await #expect(processExitsWith: .success) {
            let collector = try LoopbackCollector(script: .accept.when({ $0.path == "/busy" }, .neverRespond))
            let sockets = (0..<15).map { _ in RawClient.opened() }
            try Descriptors.leave(20)
            var clients: [RawClient] = []
            for socket in sockets {
                let client = try RawClient(collector, over: socket)
                client.post("/busy", "")
                clients.append(client)
                // Until its request is read, a connection counts as idle.
                let count = clients.count
                _ = await collector.tally { $0.startedRequests == count || $0.failedAccepts > 0 }
            }

            let start = ContinuousClock.now
            let first = await collector.tally { $0.failedAccepts > 0 }
            let last = await collector.tally { $0.failedAccepts > first.failedAccepts + 2 }

            #expect(last.connections < 15)
            #expect(ContinuousClock.now - start > .milliseconds(150))
            #expect(clients.count == 15)
            clients.removeAll()
            let client = try RawClient(collector)
            client.post("/", "")
            #expect(client.read(until: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
        }
    }
}

private enum Descriptors {
    /// Limits the process to a number of additional descriptors.
    ///
    /// A process may have inherited descriptors with any numbers, so the free numbers are found by using them.
    static func leave(_ count: Int) throws {
        let free = (0..<count).map { _ in unsafe open("/dev/null", O_RDONLY) }
        for descriptor in free { close(descriptor) }
        let end = rlim_t(try #require(free.max()) + 1)
        var limit = rlimit(rlim_cur: end, rlim_max: end)
        #if canImport(Glibc)
        let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
        let result = unsafe setrlimit(RLIMIT_NOFILE, &limit)
        #endif
        try #require(result == 0)
    }
}
