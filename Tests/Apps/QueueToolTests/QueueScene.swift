import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// A queue, filled and closed by an engine of this process.
struct QueueScene: Sendable {
    let queue: TemporaryQueue
    let destination: LineDestination

    var lane: LaneID { destination.lane }
    var path: String { queue.url.path }

    init(lane: LaneID = LaneID(product: "T", service: "lines")) throws {
        queue = try TemporaryQueue()
        destination = LineDestination(lane: lane)
    }

    /// Tracks events by name, delivers as many as possible, and closes the engine.
    ///
    /// - Returns: The ids of the events, the sent lines, and the reasons of the quarantined events.
    @discardableResult
    func run(
        _ names: [String],
        consent: Consent = .granted,
        timeout: Duration = .seconds(300),
        script: @escaping ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 200)) }
    ) async throws -> (ids: [EventID], sent: [String], reasons: [String]) {
        let (engine, transport) = (DeliveryEngine(), ScriptedTransport(script: script))
        let diagnostics = engine.diagnostics()
        var configuration = DeliveryConfiguration(
            directory: queue.url,
            destinations: [destination],
            transport: transport
        )
        configuration.consent = [.analytics: .granted]
        try await engine.open(configuration)
        if consent != .granted { try await engine.setConsent(consent, for: .analytics) }
        var ids: [EventID] = []
        for name in names {
            ids.append(await engine.lane(lane).trackUntilStored(name, parameters: ["n": 1]).id)
        }
        _ = await engine.flush(timeout: timeout)
        await engine.close(timeout: timeout)
        var reasons: [String] = []
        for await case .quarantined(_, _, let reason) in diagnostics { reasons.append(reason) }
        let sent = transport.requests.flatMap { String(decoding: $0.body, as: UTF8.self).split(separator: "\n") }
        return (ids, sent.map(String.init), reasons)
    }

    /// Returns a script that refuses the events of one name, and accepts all others.
    static func refusing(_ name: String) -> ScriptedTransport.Script {
        { request, _ in
            let isRefused = String(decoding: request.body, as: UTF8.self).contains("\"name\":\"\(name)\"")
            return .respond(HTTPResponse(status: isRefused ? 400 : 200, body: Array("no \(name)\n".utf8)))
        }
    }

    /// A script that refuses the credentials, so all events stay in the queue.
    static let closed: ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 401)) }

    /// Returns the modification time, the mode and the bytes of each file in the directory.
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
