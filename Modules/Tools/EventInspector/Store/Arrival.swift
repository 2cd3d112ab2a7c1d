import Foundation
import LoopbackCollector

/// A request with events, which is kept while any of its events is shown.
final class Arrival: Sendable {
    /// The request line and the header fields.
    let head: CollectedHead
    /// The body, without its gzip encoding.
    let body: [UInt8]
    /// The status of the response, or `nil` if there was no response.
    let status: Int?
    /// The start of the response's body.
    let response: String
    /// The time of arrival, in microseconds since 1970.
    let time: Int64

    /// Creates an arrival from a request and its response.
    init(_ request: CollectedRequest, status: Int?, response: String, time: Int64) {
        head = request.head
        body = request.body
        self.status = status
        self.response = response
        self.time = time
    }

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A receiver of events, which accepts them or responds with a fault.
struct EventReception: Sendable {
    /// The response to events if the inspector uses a network address.
    static let off = CollectorResponse(
        403,
        text: "On a network address, the inspector receives no events; the app reports them with inspected(at:).\n"
    )
    private static let responseLimit = 512

    let services: [CollectorService]
    let store: InspectorStore

    /// Records a request and returns the response.
    func response(to request: CollectedRequest) -> CollectorAction {
        guard request.method != "GET", request.method != "HEAD",
            let service = services.service(for: request.head)
        else { return .unrecorded(.respond(CollectorResponse(404, text: "No receiver has this address.\n"))) }
        let events = service.events(in: request)
        let fault = store.fault(service: service.name, events: events)
        let arrival = Arrival(
            request,
            status: fault.map { $0.status == 0 ? nil : $0.status } ?? 200,
            response: String((fault?.response ?? "").prefix(EventReception.responseLimit)),
            time: WallTime.now
        )
        store.receive(events, by: arrival, of: service)
        return fault?.collectorAction ?? .accept
    }
}

extension Arrival {
    /// The request and its response as an entry of an HTTP Archive.
    var archiveEntry: String {
        var json = JSONBuilder()
        json.object { json in
            json.member("startedDateTime", Date(timeIntervalSince1970: Double(time) / 1_000_000).formatted(.iso8601))
            json.member("time", 0)
            json.key("request")
            writeRequest(to: &json)
            json.key("response")
            writeResponse(to: &json)
            json.key("cache")
            json.raw("{}")
            json.key("timings")
            json.raw(#"{"send":0,"wait":0,"receive":0}"#)
        }
        return json.text
    }

    private func writeRequest(to json: inout JSONBuilder) {
        let target = Redaction.target(head.target)
        json.object { json in
            json.member("method", head.method)
            json.member("url", "http://\(head.headers["host"] ?? "127.0.0.1")\(target)")
            json.member("httpVersion", "HTTP/1.1")
            json.key("cookies")
            json.raw("[]")
            json.key("headers")
            json.array { json in
                for (name, value) in Redaction.headers(head) {
                    json.object { json in
                        json.member("name", name)
                        json.member("value", value)
                    }
                }
            }
            json.key("queryString")
            json.raw("[]")
            json.key("postData")
            json.object { json in
                json.member("mimeType", head.headers["content-type"] ?? "")
                json.member("text", text)
            }
            json.member("headersSize", -1)
            json.member("bodySize", body.count)
        }
    }

    private func writeResponse(to json: inout JSONBuilder) {
        json.object { json in
            json.member("status", status ?? 0)
            json.member("statusText", "")
            json.member("httpVersion", "HTTP/1.1")
            json.key("cookies")
            json.raw("[]")
            json.key("headers")
            json.raw("[]")
            json.key("content")
            json.object { json in
                json.member("size", response.utf8.count)
                json.member("mimeType", "text/plain")
                json.member("text", response)
            }
            json.member("redirectURL", "")
            json.member("headersSize", -1)
            json.member("bodySize", response.utf8.count)
        }
    }
}

/// The wall clock.
enum WallTime {
    /// The current time, in microseconds since 1970.
    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }
}
