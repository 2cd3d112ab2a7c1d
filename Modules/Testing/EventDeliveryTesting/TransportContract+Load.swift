import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    /// Checks of concurrent requests and of receivers that must not affect each other.
    static let load: [Check] = [
        Check("many requests at once share a few connections, and each has its own response") { transport in
            let script = CollectorScript { .respond(CollectorResponse(200, text: $0.text)) }
            let collector = try LoopbackCollector(script: script)

            let responses = try await withThrowingTaskGroup(of: (String, String).self) { group in
                for number in 1...64 {
                    group.addTask {
                        let request = try request(to: collector, body: "\(number)")
                        let response = try await outcome(of: request, over: transport, deadline: .seconds(30)).get()
                        return ("\(number)", String(decoding: response.body, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }

            try expect(responses.count == 64, "\(responses.count) responses")
            try expect(responses.allSatisfy { $0 == $1 }, "responses of other requests: \(responses)")
            try expect(collector.tally.connections < 64, "\(collector.tally)")
        },
        Check("requests that hang do not delay another to the same receiver") { transport in
            let script = CollectorScript.accept.when({ $0.text == "hang" }, .neverRespond)
            let collector = try LoopbackCollector(script: script)
            let sending = try (0..<24).map { _ in
                let request = try request(to: collector, body: "hang")
                return Task { try await outcome(of: request, over: transport, deadline: .seconds(120)) }
            }
            await collector.tally { $0.startedRequests > 0 }

            let result = try await outcome(of: request(to: collector), over: transport, deadline: .seconds(20))

            try expect((try? result.get().status) == 200, "\(result)")
            for task in sending { task.cancel() }
            for task in sending { _ = try await task.value }
        },
        Check("receivers that hang or flood do not delay the requests to another") { transport in
            let extensions = CollectorAction.flood(
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".utf8),
                block: Array(repeating: UInt8(ascii: "x"), count: 65_536)
            )
            let hostile = try [extensions, .neverRespond, .delay(.seconds(60), then: .accept)].map {
                try LoopbackCollector(script: .always($0))
            }
            let good = try LoopbackCollector()
            let sending = hostile.flatMap { collector in
                (0..<8).map { _ in
                    Task {
                        try await outcome(of: request(to: collector), over: transport, deadline: .seconds(120))
                    }
                }
            }
            for collector in hostile { await collector.tally { $0.startedRequests > 0 } }

            for number in 1...20 {
                let result = try await outcome(of: request(to: good), over: transport, deadline: .seconds(20))
                try expect((try? result.get().status) == 200, "request \(number): \(result)")
            }

            for task in sending { task.cancel() }
            for task in sending {
                let result = try await task.value
                try expect(result == .failure(.cancelled), "\(result)")
            }
        },
        Check("a host with several addresses is reached by the one that responds") { transport in
            let collector = try LoopbackCollector()
            guard let url = URL(string: "http://localhost:\(collector.port)/") else { return }

            let result = try await outcome(of: HTTPRequest(url: url, body: []), over: transport)

            try expect((try? result.get().status) == 200, "\(result)")
        },
    ]
}
