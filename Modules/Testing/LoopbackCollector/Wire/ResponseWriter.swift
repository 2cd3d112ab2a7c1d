/// A writer that performs actions on a connection.
struct ResponseWriter {
    /// The state of the connection after an action.
    enum Outcome: Sendable, Hashable {
        /// The connection can receive the next request.
        case keepAlive
        /// The connection must be closed.
        case end
        /// The connection must be reset.
        case reset
    }

    private static let block = [UInt8](repeating: UInt8(ascii: "a"), count: 64 * 1024)
    private let connection: ConnectionSocket

    /// Creates a writer for a connection.
    init(_ connection: ConnectionSocket) {
        self.connection = connection
    }

    /// Performs an action.
    ///
    /// Returns early if the peer or the collector ends the connection.
    func perform(_ action: CollectorAction) -> Outcome {
        switch action {
        case .respond(let response):
            return send(whole(response)) ? .keepAlive : .end
        case .respondAndClose(let response):
            _ = send(whole(response))
            return .end
        case .close: return .end
        case .reset: return .reset
        case .neverRespond:
            connection.drain()
            return .end
        case .bytes(let bytes):
            _ = send(bytes)
            return .end
        case .raw(let bytes, let next):
            guard send(bytes) else { return .end }
            return next.map(perform) ?? .keepAlive
        case .flood(let start, let block):
            return flood(start: start, block: block)
        case .resetAfterHead(let response):
            return send(response.head(declaredLength: max(1, response.body.count))) ? .reset : .end
        case .truncate(let response, let count):
            _ = send(response.head(declaredLength: response.body.count) + response.body.prefix(max(0, count)))
            return .end
        case .trickle(let response, let interval):
            return trickle(whole(response), every: interval) ? .keepAlive : .end
        case .endlessBody(let response):
            return flood(start: response.head(declaredLength: nil), block: ResponseWriter.block)
        case .endlessHead(let status):
            let line = "X-Filler: \(String(repeating: "x", count: 1000))\r\n"
            return flood(start: Array("HTTP/1.1 \(status) OK\r\n".utf8), block: Array(line.utf8))
        case .interim(let status, let count, let next):
            return interim(status, count: count, then: next)
        case .delay(let time, let next):
            return connection.pause(time) ? perform(next) : .end
        case .hold(let hold, let next):
            return connection.wait(for: hold) ? perform(next) : .end
        case .stream(let response, let interval, let next):
            return stream(response, every: interval, next: next)
        case .unrecorded(let next): return perform(next)
        }
    }

    private func whole(_ response: CollectorResponse) -> [UInt8] {
        response.head(declaredLength: response.body.count) + response.body
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        connection.socket.send(bytes)
    }

    private func trickle(_ bytes: [UInt8], every interval: Duration) -> Bool {
        bytes.indices.allSatisfy { index in
            send([bytes[index]]) && connection.pause(interval)
        }
    }

    private func stream(_ response: CollectorResponse, every interval: Duration, next: () -> [UInt8]?) -> Outcome {
        guard send(response.head(declaredLength: nil) + response.body) else { return .end }
        while let part = next() {
            guard part.isEmpty || send(part), connection.pause(interval) else { return .end }
        }
        return .end
    }

    private func flood(start: [UInt8], block: [UInt8]) -> Outcome {
        guard send(start) else { return .end }
        while send(block) {}
        return .end
    }

    private func interim(_ status: Int, count: Int, then next: CollectorAction?) -> Outcome {
        let head = Array("HTTP/1.1 \(status) Interim\r\n\r\n".utf8)
        guard let next else { return flood(start: head, block: head) }
        for _ in 0..<max(0, count) {
            guard send(head) else { return .end }
        }
        return perform(next)
    }
}
