import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// A queue that an engine of this process has filled and left.
struct QueueScene: Sendable {
    let queue: TemporaryQueue
    let destination: LineDestination

    var lane: LaneID { destination.lane }
    var path: String { queue.url.path }

    init(lane: LaneID = LaneID(product: "T", service: "lines")) throws {
        queue = try TemporaryQueue()
        destination = LineDestination(lane: lane)
    }

    /// Tracks events by name, delivers what can be delivered, and closes; returns the events' ids, what was sent, and the
    /// reasons for which diagnostics report events as quarantined.
    @discardableResult
    func run(
        _ names: [String],
        consent: Consent = .granted,
        script: @escaping ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 200)) }
    ) async throws -> (ids: [EventID], sent: [String], reasons: [String]) {
        let (engine, transport) = (DeliveryEngine(), ScriptedTransport(script: script))
        let diagnostics = engine.diagnostics()
        try await engine.open(
            DeliveryConfiguration(
                directory: queue.url,
                destinations: [destination],
                transport: transport,
                consent: [.analytics: consent]
            )
        )
        var ids: [EventID] = []
        for name in names {
            ids.append(await engine.lane(lane).track(name, parameters: ["n": 1], until: .persisted).id)
        }
        _ = await engine.flush(deadline: .seconds(300))
        await engine.close(deadline: .seconds(300))
        var reasons: [String] = []
        for await case .quarantined(_, _, let reason) in diagnostics { reasons.append(reason) }
        let sent = transport.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
        return (ids, sent.map(String.init), reasons)
    }

    /// A receiver that refuses the events of one name, and takes all others.
    static func refusing(_ name: String) -> ScriptedTransport.Script {
        { request, _ in
            let isRefused = String(decoding: request.body, as: UTF8.self).contains("\"name\":\"\(name)\"")
            return .respond(HTTPResponse(status: isRefused ? 400 : 200, body: Array("no \(name)\n".utf8)))
        }
    }

    /// A receiver that refuses the credentials, so that everything stays.
    static let closed: ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 401)) }

    /// Every file of the directory: its bytes, its mode and when it was changed.
    func state() throws -> [String: [String]] {
        try queue.files.reduce(into: [:]) { state, name in
            let path = queue.url.appending(path: name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let times = [attributes[.modificationDate], attributes[.posixPermissions]].map { "\($0 ?? "")" }
            state[name] =
                times + [String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)]
        }
    }
}
