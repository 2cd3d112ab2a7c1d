import CoreTrackerTesting
import EventDelivery
import Foundation
import LoopbackCollector

extension TransportContract {
    /// An expected result of a response.
    private enum Meaning: Equatable {
        /// A response with this status and the whole body.
        case status(Int)
        /// A response with this status and the start of its body, because it is too long or compressed.
        case limited(Int)
        /// A response with this status and the part of its body that arrived.
        case interrupted(Int)
        /// No response, and the request is retried, because the head is incomplete or not valid HTTP.
        case noResponse
        /// No response until the deadline.
        case late
    }

    private typealias Row = (name: String, action: CollectorAction, meaning: Meaning)

    /// Checks of unusual and malicious responses, each with exactly one expected result.
    static let table: [Check] =
        rows.map { row in
            Check("\(row.name): \(row.meaning)") { transport in
                try await hold(row, over: transport, deadline: .seconds(20))
            }
        }
        + slowRows.map { row in
            Check("\(row.name): \(row.meaning) at the deadline") { transport in
                try await hold(row, over: transport, deadline: .milliseconds(300))
            }
        }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let filler = "X-Filler: \(String(repeating: "x", count: 1000))\r\n"

    private static let rows: [Row] = heads + bodies + endings

    private static let heads: [Row] = [
        ("a connection that ends after the status line", text("HTTP/1.1 200 OK\r\n"), .noResponse),
        ("a connection that ends in the status line", text("HTTP/1.1 2"), .noResponse),
        ("a connection that ends in the head", text("HTTP/1.1 200 OK\r\nX-A: b\r\n"), .noResponse),
        ("a connection that is reset in the head", .raw(Array("HTTP/1.1 200 OK\r\n".utf8), then: .reset), .noResponse),
        ("a status of five digits", text("HTTP/1.1 99999 OK\r\n\r\n"), .noResponse),
        ("a status of two digits", text("HTTP/1.1 20 OK\r\n\r\n"), .noResponse),
        ("the status 000", text("HTTP/1.1 000 OK\r\n\r\n"), .noResponse),
        ("a field without a colon", text(ok("garbage\r\n")), .noResponse),
        ("a NUL in a field", text(ok("X-A: a\u{0}b\r\n")), .noResponse),
        ("one line of 200 kB", .respond(.hugeHeader(bytes: 200_000)), .noResponse),
        (
            "endless lines that continue a field", .flood(Array("HTTP/1.1 200 OK\r\nX: y\r\n".utf8), block: folded),
            .noResponse
        ),
        (
            "a switch to another protocol", text("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
            .noResponse
        ),
        (
            "a wait of a billion years", .respond(CollectorResponse(503, headers: [.init("Retry-After", nines)])),
            .status(503)
        ),
    ]

    private static let bodies: [Row] = [
        ("a hexadecimal length", text(ok("Content-Length: 0x1\r\n") + "a"), .noResponse),
        (
            "the largest length of 64 bits", text(ok("Content-Length: 9223372036854775807\r\n") + "ab"),
            .interrupted(200)
        ),
        ("a length of thirty digits", text(ok("Content-Length: \(nines)\r\n") + "ab"), .noResponse),
        ("two lengths", text(ok("Content-Length: 2\r\nContent-Length: 1\r\n") + "ab"), .noResponse),
        ("an unknown transfer encoding", text(ok("Transfer-Encoding: rot13\r\n") + "ab"), .interrupted(200)),
        ("a chunk whose size is not a number", text(chunked + "xyz\r\nab\r\n0\r\n\r\n"), .interrupted(200)),
        ("a chunk larger than 64 bits", text(chunked + "ffffffffffffffffff\r\nab"), .interrupted(200)),
        ("a negative chunk", text(chunked + "-1\r\nab\r\n0\r\n\r\n"), .interrupted(200)),
        ("a chunk that is cut", text(chunked + "9\r\nab"), .interrupted(200)),
        ("endless trailers", .flood(Array((chunked + "0\r\n").utf8), block: Array(filler.utf8)), .limited(200)),
        ("endless chunks", .flood(Array(chunked.utf8), block: chunks), .limited(200)),
        ("a trailer", text(chunked + "2\r\nok\r\n0\r\nX-Trailer: a\r\n\r\n"), .status(200)),
        ("a body longer than its length", text(ok("Content-Length: 2\r\n") + "ok, and more"), .status(200)),
    ]

    private static let endings: [Row] = [
        ("an error with an endless body", .endlessBody(CollectorResponse(503)), .limited(503)),
        ("an acknowledgement with an endless body", .endlessBody(CollectorResponse(200)), .limited(200)),
        (
            "a declared length that is too long", text(ok("Content-Length: 9000000\r\n") + long), .limited(200)
        ),
        ("a redirect with an endless body", .endlessBody(.redirect(302, to: "/elsewhere")), .limited(302)),
        (
            "a connection that is reset after the head", .resetAfterHead(CollectorResponse(200, text: "ok")),
            .interrupted(200)
        ),
    ]

    private static let slowRows: [Row] = [
        ("a head that stops", .raw(Array("HTTP/1.1 200 OK\r\nX-A".utf8), then: .neverRespond), .late),
        (
            "a body that stops", .raw(Array(ok("Content-Length: 5\r\n").utf8), then: .neverRespond),
            .interrupted(200)
        ),
        ("chunks that stop", .raw(Array((chunked + "1\r\na\r\n").utf8), then: .neverRespond), .interrupted(200)),
        (
            "an interim response alone", .raw(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), then: .neverRespond),
            .late
        ),
        (
            "an endless chunk extension",
            .flood(Array((chunked + "1;").utf8), block: Array(repeating: 120, count: 65_536)), .interrupted(200)
        ),
    ]

    private static let chunks = Array(("3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n").utf8)
    private static let long = String(repeating: "x", count: 5_000_000)
    private static let nines = String(repeating: "9", count: 30)
    private static let folded = Array((" " + String(repeating: "x", count: 1000) + "\r\n").utf8)

    private static func ok(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n" }

    private static func text(_ text: String) -> CollectorAction { .bytes(Array(text.utf8)) }

    private static func hold(_ row: Row, over transport: any Transport, deadline: Duration) async throws {
        let collector = try LoopbackCollector(script: .always(row.action))

        let result = try await outcome(of: request(to: collector), over: transport, deadline: deadline)

        let meaning: Meaning =
            switch result {
            case .success(let response):
                switch response.extent {
                case .whole: .status(response.status)
                case .limited: .limited(response.status)
                case .interrupted: .interrupted(response.status)
                }
            case .failure(.timedOut): .late
            case .failure(.invalidResponse): .noResponse
            case .failure where isConnectionFailure(result): .noResponse
            case .failure(let error): throw ContractViolation("\(error)")
            }
        try expect(meaning == row.meaning, "\(result)")
    }
}
