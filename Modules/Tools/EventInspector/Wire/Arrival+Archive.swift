import Foundation
import LoopbackCollector

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
