import Dispatch
import Foundation
import Locks

/// A server that accepts connections and runs each on a separate thread with blocking calls.
final class CollectorServer: Sendable {
    private struct Connection {
        let socket: ConnectionSocket
        /// The time at which the connection started to wait for a request, or `nil` if it has one or is closing.
        var idleSince: ContinuousClock.Instant?
    }

    private struct State {
        var script: CollectorScript
        var connections: [Int: Connection] = [:]
        var arrivals = 0
        var isClosed = false
    }

    private static let maximumConnections = 512
    /// The time after which a failed accept is repeated, unless a connection ends earlier.
    private static let acceptInterval = Duration.milliseconds(100)
    /// The port of the server.
    let port: UInt16
    private let listener: SocketHandle
    private let closing: WakePipe
    /// A signal, set when a connection has ended.
    private let ended: WakePipe
    private let stopped = DispatchSemaphore(value: 0)
    private let record: CollectorRecord
    private let maximumBody: Int
    private let state: Mutex<State>

    /// Starts to listen.
    init(
        port: UInt16,
        isIPv6: Bool,
        networkAddress: String?,
        script: CollectorScript,
        record: CollectorRecord,
        maximumBody: Int
    ) throws(CollectorError) {
        closing = try WakePipe()
        ended = try WakePipe()
        (listener, self.port) = try SocketHandle.listening(on: port, isIPv6: isIPv6, networkAddress: networkAddress)
        self.record = record
        self.maximumBody = maximumBody
        state = Mutex(State(script: script))
        Thread { self.acceptAll() }.start()
    }

    /// Replaces the script for all requests that arrive later.
    func setScript(_ script: CollectorScript) {
        state.withLock { $0.script = script }
    }

    /// Stops listening and closes all connections.
    ///
    /// When it returns, the port is free.
    func close() {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.isClosed = true
            // The lock prevents the connection's thread from closing the descriptor, which another socket could then
            // reuse.
            for connection in state.connections.values { connection.socket.interrupt() }
            return true
        }
        guard isFirst else { return }
        closing.set()
        stopped.wait()
    }

    private func acceptAll() {
        var number = 0
        while let ready = SocketHandle.wait(for: [listener, closing.socket]), !ready.contains(closing.socket) {
            ended.clear()
            do throws(CollectorError) {
                guard let connection = try nextConnection() else { continue }
                number += 1
                guard register(connection, number) else {
                    connection.socket.end()
                    continue
                }
            } catch {
                makeRoom()
                continue
            }
            record.count {
                $0.connections += 1
                $0.openConnections += 1
            }
            Thread { [number] in
                self.serve(number)
                self.ended.set()
            }
            .start()
        }
        listener.end()
        stopped.signal()
    }

    /// Accepts a connection, or returns `nil` if it has already ended.
    ///
    /// - Throws: ``CollectorError`` if the maximum number of connections is open or no descriptor is left.
    private func nextConnection() throws(CollectorError) -> ConnectionSocket? {
        let count = state.withLock(\.connections.count)
        guard count < CollectorServer.maximumConnections else { throw .system(call: "accept", code: EMFILE) }
        return try ConnectionSocket(acceptedBy: listener)
    }

    /// Closes the connection with the longest idle time, and waits until a connection has ended.
    ///
    /// The wait has a time limit, because all connections may be busy, or other parts of the process may use the
    /// descriptors.
    private func makeRoom() {
        record.count { $0.failedAccepts += 1 }
        state.withLock { state in
            let idle = state.connections.compactMap { number, connection in
                connection.idleSince.map { (number: number, since: $0) }
            }
            guard let oldest = idle.min(by: { $0.since < $1.since })?.number else { return }
            state.connections[oldest]?.idleSince = nil
            state.connections[oldest]?.socket.interrupt()
        }
        _ = SocketHandle.wait(for: [ended.socket, closing.socket], upTo: CollectorServer.acceptInterval)
    }

    private func register(_ connection: ConnectionSocket, _ number: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.connections[number] = Connection(socket: connection)
            return true
        }
    }

    /// Serves a connection until it ends.
    ///
    /// When it returns, the connection's descriptors are closed.
    private func serve(_ number: Int) {
        guard let connection = state.withLock({ $0.connections[number]?.socket }) else { return }
        var reader = RequestReader(connection, maximumBody: maximumBody)
        let writer = ResponseWriter(connection)
        var outcome = open(connection, writer)
        var ordinal = 0
        while outcome == .keepAlive {
            ordinal += 1
            state.withLock { $0.connections[number]?.idleSince = .now }
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
        ended.set()
    }

    /// Applies the script's rule for new connections, after the client has sent data.
    private func open(_ connection: ConnectionSocket, _ writer: ResponseWriter) -> ResponseWriter.Outcome {
        let opening = state.withLock(\.script).opening()
        guard opening != .read else { return .keepAlive }
        var byte: [UInt8] = [0]
        _ = connection.socket.receive(into: &byte, in: 0..<1, peeking: true)
        switch opening {
        case .read: return .keepAlive
        case .close: return writer.perform(.close)
        case .reset: return writer.perform(.reset)
        case .bytes(let bytes): return writer.perform(.bytes(bytes))
        case .neverRespond: return writer.perform(.neverRespond)
        }
    }

    private func exchange(
        _ reader: inout RequestReader,
        _ writer: ResponseWriter,
        connection: Int,
        ordinal: Int
    ) -> ResponseWriter.Outcome {
        do throws(RequestReader.Failure) {
            let head = try reader.head(connection: connection, ordinal: ordinal)
            let script = state.withLock { state in
                state.connections[connection]?.idleSince = nil
                return state.script
            }
            record.count { $0.startedRequests += 1 }
            if head.headers["expect"]?.lowercased() == "100-continue" {
                _ = writer.perform(.interim(status: 100, count: 1, then: .bytes([])))
            }
            let raw = try reader.body(of: head, script.reception(head))
            let body = try reader.decoded(raw, of: head)
            let action = action(for: CollectedRequest(head: head, rawBody: raw, body: body, arrival: 0), script)
            let outcome = writer.perform(action)
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

    /// Gets the action from the script.
    ///
    /// Records the request before any byte of the response is written.
    private func action(for request: CollectedRequest, _ script: CollectorScript) -> CollectorAction {
        var request = request
        request.arrival = state.withLock { state in
            state.arrivals += 1
            return state.arrivals
        }
        let action = script.action(request)
        if action.isRecorded { record.record(request, isStored: action.isStoring) }
        return action
    }
}
