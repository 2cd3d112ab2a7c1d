import Dispatch
import Foundation
import Locks

/// Accepts connections and serves each on a thread of its own, with blocking calls.
final class CollectorServer: Sendable {
    private struct State {
        var script: CollectorScript
        var connections: [Int: ConnectionSocket] = [:]
        var arrivals = 0
        var isClosed = false
    }

    private static let maximumConnections = 512
    /// The port that is listened on.
    let port: UInt16
    private let listener: SocketHandle
    private let closing: WakeSignal
    private let stopped = DispatchSemaphore(value: 0)
    private let record: CollectorRecord
    private let maximumBody: Int
    private let state: Mutex<State>

    /// Starts to listen.
    init(
        port: UInt16,
        isIPv6: Bool,
        script: CollectorScript,
        record: CollectorRecord,
        maximumBody: Int
    ) throws(CollectorError) {
        closing = try WakeSignal()
        (listener, self.port) = try SocketHandle.listening(on: port, isIPv6: isIPv6)
        self.record = record
        self.maximumBody = maximumBody
        state = Mutex(State(script: script))
        Thread { self.acceptAll() }.start()
    }

    /// Changes the script for all requests that arrive from now on.
    func setScript(_ script: CollectorScript) {
        state.withLock { $0.script = script }
    }

    /// Stops listening and ends all connections; when it returns, the port is free.
    func close() {
        let connections = state.withLock { state -> [ConnectionSocket]? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return Array(state.connections.values)
        }
        guard let connections else { return }
        closing.give()
        for connection in connections { connection.interrupt() }
        stopped.wait()
    }

    private func acceptAll() {
        var number = 0
        while let ready = SocketHandle.wait(for: [listener, closing.socket]), !ready.contains(closing.socket) {
            guard let socket = listener.accepted() else { continue }
            number += 1
            guard let connection = try? ConnectionSocket(socket), register(connection, number) else {
                socket.end()
                continue
            }
            record.count {
                $0.connections += 1
                $0.openConnections += 1
            }
            Thread { [number] in self.serve(connection, number) }.start()
        }
        listener.end()
        stopped.signal()
    }

    private func register(_ connection: ConnectionSocket, _ number: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.connections.count < CollectorServer.maximumConnections else { return false }
            state.connections[number] = connection
            return true
        }
    }

    private func serve(_ connection: ConnectionSocket, _ number: Int) {
        var reader = RequestReader(connection, maximumBody: maximumBody)
        let writer = AnswerWriter(connection)
        var outcome = open(connection, writer)
        var ordinal = 0
        while outcome == .keepAlive {
            ordinal += 1
            outcome = exchange(&reader, writer, connection: number, ordinal: ordinal)
        }
        _ = state.withLock { $0.connections.removeValue(forKey: number) }
        if outcome == .reset {
            connection.socket.reset()
        } else {
            connection.linger()
            connection.socket.end()
        }
        record.count { $0.openConnections -= 1 }
    }

    /// Begins a connection as the script says, once its client has written something.
    private func open(_ connection: ConnectionSocket, _ writer: AnswerWriter) -> AnswerWriter.Outcome {
        let opening = state.withLock(\.script).opening()
        guard opening != .read else { return .keepAlive }
        var byte: [UInt8] = [0]
        _ = connection.socket.receive(into: &byte, in: 0..<1, peeking: true)
        switch opening {
        case .read: return .keepAlive
        case .close: return writer.perform(.close)
        case .reset: return writer.perform(.reset)
        case .bytes(let bytes): return writer.perform(.bytes(bytes))
        case .neverAnswer: return writer.perform(.neverAnswer)
        }
    }

    private func exchange(
        _ reader: inout RequestReader,
        _ writer: AnswerWriter,
        connection: Int,
        ordinal: Int
    ) -> AnswerWriter.Outcome {
        do throws(RequestReader.Failure) {
            let head = try reader.head(connection: connection, ordinal: ordinal)
            record.count { $0.begunRequests += 1 }
            let script = state.withLock(\.script)
            if head.headers["expect"]?.lowercased() == "100-continue" {
                _ = writer.perform(.interim(status: 100, count: 1, then: .bytes([])))
            }
            let raw = try reader.body(of: head, script.reception(head))
            let body = try reader.decoded(raw, of: head)
            let answer = answer(to: CollectedRequest(head: head, rawBody: raw, body: body, arrival: 0), script)
            let outcome = writer.perform(answer)
            return outcome == .keepAlive && head.wantsClose ? .end : outcome
        } catch {
            switch error {
            case .ended: return .end
            case .reset: return .reset
            case .malformed(let status):
                record.count { $0.malformedRequests += 1 }
                return writer.perform(.respondAndClose(CollectorResponse(status)))
            }
        }
    }

    /// Asks the script, and records the request unless the answer says otherwise, before a byte of it is written.
    private func answer(to request: CollectedRequest, _ script: CollectorScript) -> CollectorAnswer {
        var request = request
        request.arrival = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        let answer = script.answer(request)
        if answer.isRecorded { record.record(request, isStored: answer.isStoring) }
        return answer
    }
}
