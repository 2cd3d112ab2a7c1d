import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    /// Checks of responses.
    static let responses: [Check] = [
        Check("a response is complete, with its header names in lower case") { transport in
            let page = CollectorResponse(201, headers: [.init("X-Mixed-Case", "Value")], text: "{\"ok\":true}")

            let response = try await outcome(of: .respond(page), over: transport).get()

            try expect(response.status == 201, "\(response.status)")
            try expect(response.headers["x-mixed-case"] == "Value", "\(response.headers)")
            try expect(response.body == page.body, "\(response.body.count) bytes")
        },
        Check("any status is a response") { transport in
            for status in [200, 202, 204, 226, 300, 304, 305, 400, 404, 408, 413, 418, 429, 451, 500, 503, 511, 599] {
                let response = try await outcome(of: .status(status), over: transport).get()

                try expect(response.status == status, "\(status) came as \(response.status)")
            }
        },
        Check("rejected credentials are a response too, at once and with their challenge") { transport in
            for scheme in ["Basic realm=\"r\"", "Basic", "Digest realm=\"r\", nonce=\"n\"", "Bearer", "Negotiate"] {
                for (status, name) in [(401, "WWW-Authenticate"), (407, "Proxy-Authenticate")] {
                    let page = CollectorResponse(status, headers: [.init(name, scheme)], text: "no")

                    let response = try await outcome(of: .respond(page), over: transport, deadline: .seconds(2)).get()

                    try expect(response.status == status, "\(status) \(scheme) came as \(response.status)")
                    try expect(response.headers[name.lowercased()] == scheme, "\(response.headers)")
                }
            }
        },
        Check("a redirect is returned and not followed, to the same host, another or in a circle") { transport in
            let other = try LoopbackCollector()
            let collector = try LoopbackCollector()
            let credential = try HTTPHeader("Authorization", "hush")
            for status in [301, 302, 303, 307, 308] {
                for target in ["\(other.url)/x", "/elsewhere", "\(collector.url)/events", "//", "file:///etc/passwd"] {
                    collector.setScript(.always(.respond(.redirect(status, to: target))))
                    let before = collector.tally.requests

                    let response = try await outcome(
                        of: request(to: collector, headers: [credential]),
                        over: transport
                    ).get()

                    try expect(response.status == status, "\(status) to \(target) came as \(response.status)")
                    try expect(response.headers["location"] == target, "\(response.headers)")
                    try expect(collector.tally.requests == before + 1, "\(status) to \(target) was followed")
                }
            }
            try expect(other.tally.connections == 0, "the other host was called")
        },
        Check("a redirect without a target is a response") { transport in
            for status in [301, 302, 303, 307, 308] {
                let response = try await outcome(of: .status(status), over: transport).get()

                try expect(response.status == status, "\(status) came as \(response.status)")
            }
        },
        Check("a captive portal's page can be distinguished from an acknowledgement") { transport in
            let type = CollectorResponse.Header("Content-Type", "text/html; charset=utf-8")
            let page = CollectorResponse(200, headers: [type], text: "<html>Log in</html>")

            let response = try await outcome(of: .respond(page), over: transport).get()

            let result = ResponsePolicy.standard.result(for: response)
            try expect(result == .paused(.intercepted), "\(result)")
        },
        Check("interim responses are skipped, and nothing else counts as the response") { transport in
            let page = CollectorResponse(202, text: "whole")
            for status in [100, 102, 103] {
                let response = try await outcome(
                    of: .interim(status: status, count: 3, then: .respond(page)),
                    over: transport
                ).get()

                try expect(response.status == 202, "\(response.status)")
                try expect(response.body == page.body, "\(response.body)")
            }
        },
        Check("a body of 4 MiB is complete, and a longer one is cut there, for every status") { transport in
            let limit = 4 * 1024 * 1024
            for (status, size, extent) in [
                (200, limit, HTTPResponse.Extent.whole), (200, limit + 1, .limited), (503, 6_000_000, .limited),
            ] {
                let header = CollectorResponse.Header("Retry-After", "7")
                let body = [UInt8](repeating: UInt8(ascii: "x"), count: size)
                let page = CollectorResponse(status, headers: [header], body: body)

                let response = try await outcome(of: .respond(page), over: transport).get()

                try expect(response.status == status && response.extent == extent, "\(status), \(response.extent)")
                try expect(response.headers["retry-after"] == "7", "\(response.headers)")
                try expect(response.body.count == min(size, limit), "\(response.body.count) bytes were kept")
            }
        },
    ]
}
