import Foundation
import LoopbackCollector

@testable import EventInspector

/// A collector with an inspector, and a client that sends requests to it.
struct Inspected {
    static let token = String(repeating: "a", count: 32)

    /// A plan of an event with two services and an event with one service.
    static let plan = InspectorPlan(
        schema: CollectedValue(
            Array(
                #"""
                {"anyOf":[{"$ref":"#/$defs/f"},{"$ref":"#/$defs/a"}],"$defs":{
                "f":{"x-event":"XYBought","x-product":"XY","title":"Bought","properties":{
                "service":{"const":"firebase"},"name":{"const":"bought"},
                "parameters":{"type":"object","required":["value"],
                "properties":{"value":{"type":"number"}}}}},
                "a":{"x-event":"XYBought","x-product":"XY","title":"Bought","properties":{
                "service":{"const":"awesomeTracking"},"name":{"const":"order"},
                "parameters":{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}}}}}
                """#.utf8
            )
        ) ?? .null,
        page: "<style></style><!-- seen XY XYBought -->"
    )

    /// The folder of this repository's plan.
    static let planFolder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Scripts/plan").standardized

    let collector: LoopbackCollector
    let inspector: EventInspector

    init(plan: InspectorPlan = Inspected.plan) throws {
        collector = try LoopbackCollector()
        let services: [CollectorService] = [.firebase, .awesomeTracking]
        inspector = EventInspector(on: collector, services: services, plan: plan, token: Inspected.token)
    }

    /// The page's cookie, after another one.
    var cookie: String { "a=b; inspector-\(collector.port)=\(Inspected.token)" }

    /// Returns an id with a time in milliseconds and a counter.
    static func id(_ milliseconds: Int, _ counter: Int = 0) -> String {
        func hex(_ value: Int, _ count: Int) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let time = hex(milliseconds, 12)
        return "\(time.prefix(8))-\(time.suffix(4))-7\(hex(counter, 3))-8000-000000000000"
    }

    /// Returns a row of the in-house service.
    static func row(_ name: String, id: String, props: String = "{}") -> String {
        let text = props.replacing("\"", with: "\\\"")
        return #"{"event_id":"\#(id)","name":"\#(name)","product":"XY","device_id":"d","props":"\#(text)"}"#
    }

    /// Returns a Firebase request with one event.
    static func firebase(_ name: String, id: String, value: String = "1.5") -> String {
        let events = #"[{"name":"\#(name)","params":{"event_id":"\#(id)","value":\#(value),"currency":"EUR"}}]"#
        return #"{"app_instance_id":"d","events":\#(events)}"#
    }

    /// Sends a POST request to a receiver's path or, with the token and the page's origin, to a path of the inspector.
    @discardableResult
    func post(_ path: String, _ body: String, headers: [String: String] = [:], token: Bool = false) throws -> Int {
        try response("POST", path, body, headers: headers, token: token).status
    }

    /// Sends a GET request with the token to a path of the inspector.
    func get(_ path: String, token: Bool = true) throws -> Answer {
        try response("GET", path, "", token: token)
    }

    /// Returns the rows of the list, as JSON.
    func rows() throws -> [CollectedValue] {
        let list = try get("/inspector/events").json
        return list?["rows"]?.elements ?? []
    }

    /// Returns the details of a row, as JSON.
    func detail(_ row: Int64?) throws -> CollectedValue? {
        try get("/inspector/event/\(row ?? 0)").json
    }

    func response(
        _ method: String,
        _ path: String,
        _ body: String,
        headers: [String: String] = [:],
        token: Bool,
        until ending: String? = nil
    ) throws -> Answer {
        let client = try PlainClient(port: collector.port)
        var fields = ["Host": "127.0.0.1:\(collector.port)"].merging(headers) { $1 }
        if token { fields["Authorization"] = "Bearer \(Inspected.token)" }
        if token, method == "POST", fields["Origin"] == nil { fields["Origin"] = "\(collector.url)" }
        let (status, text) = client.exchange(method, path, fields, body, until: ending)
        return Answer(status: status, text: text)
    }

    /// A response with its head.
    struct Answer {
        let status: Int
        let text: String

        /// The text after the head.
        var body: String {
            text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
        }

        /// The body as JSON.
        var json: CollectedValue? { CollectedValue(Array(body.utf8)) }
    }
}
