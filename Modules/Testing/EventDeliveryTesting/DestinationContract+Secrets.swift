import CoreTracker
import EventDelivery
import Foundation

extension DestinationContract.Subject {
    private typealias Place = (name: String, bytes: Data)

    func secretsKept() async throws -> [String] {
        guard !secrets.isEmpty, let batch = try? destination.batch(of: [sample]) else { return [] }
        let request = destination.request(for: batch)
        let places = descriptions(of: request, batch) + (try await traces())
        let wire = Self.wire(request)
        return secrets.enumerated().flatMap { index, secret in
            let name = "secret \(index + 1)"
            let bytes = Data(secret.utf8)
            let isSent = wire.range(of: bytes) != nil
            return Self.violation(unless: isSent, "\(name) is not on the wire: is it the right one?")
                + places.flatMap { place in
                    Self.violation(
                        unless: place.bytes.range(of: bytes) == nil,
                        "\(name) is in \(place.name)"
                    )
                }
        }
    }

    /// Returns the descriptions of the destination and its requests, and an encoded event.
    private func descriptions(of request: HTTPRequest, _ batch: OutgoingBatch) -> [Place] {
        let mirrored = Self.mirrored(destination) + Self.mirrored(request)
        return [
            ("a description", "\(destination) \(request) \(request.headers)"),
            ("a debug description", String(reflecting: destination) + String(reflecting: request)),
            ("a mirror", mirrored),
            ("the lane's name", destination.lane.description),
            ("the batch key", batch.key),
            ("an encoded event", (try? destination.encoded(sample).fragment) ?? ""),
        ].map { ($0, Data($1.utf8)) }
    }

    /// Returns the values that reflection finds in a value, as `dump` and debuggers show them.
    private static func mirrored(_ value: Any, depth: Int = 0) -> String {
        guard depth < 8 else { return "" }
        let children = Mirror(reflecting: value).children.map { mirrored($0.value, depth: depth + 1) }
        return String(reflecting: value) + children.joined()
    }

    /// Returns the data that failed deliveries produce: diagnostics, quarantined events and outbox files.
    private func traces() async throws -> [Place] {
        var (diagnostics, quarantine, files) = (Data(), Data(), Data())
        let failures: [ScriptedTransport.Action] = [
            .respond(HTTPResponse(status: 400)), .fail(.untrusted), .fail(.timedOut),
        ]
        for action in failures {
            let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: directory) }
            let transport = ScriptedTransport { _, _ in action }
            let engine = DeliveryEngine(clock: TestClock())
            let stream = engine.diagnostics()
            try await engine.open(
                DeliveryConfiguration(directory: directory, destinations: [destination], transport: transport)
            )
            track(on: engine)
            await engine.storeBuffered()
            await transport.requests(count: 1)
            for event in await engine.quarantine.events() { quarantine += Data(String(reflecting: event).utf8) }
            files += Self.contents(of: directory)
            await engine.close(timeout: .zero)
            files += Self.contents(of: directory)
            for await diagnostic in stream { diagnostics += Data(String(reflecting: diagnostic).utf8) }
        }
        return [("a diagnostic", diagnostics), ("the quarantine", quarantine), ("a file of the outbox", files)]
    }

    /// Returns the names and contents of all files.
    private static func contents(of directory: URL) -> Data {
        let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }.reduce(into: Data()) { contents, file in
            contents += Data(file.lastPathComponent.utf8)
            contents += (try? Data(contentsOf: file)) ?? Data()
        }
    }

    private static func wire(_ request: HTTPRequest) -> Data {
        let address = request.url.absoluteString
        let headers = request.headers.map { "\($0.name): \($0.value)\n" }.joined()
        return Data((address + (address.removingPercentEncoding ?? "") + headers).utf8) + Data(request.body)
    }
}
