/// A connection's socket and the signal that interrupts its waits.
struct ConnectionSocket: Sendable {
    let socket: SocketHandle
    private let interruption: WakePipe

    /// Accepts the next connection of a listening socket, or returns `nil` if there is none.
    ///
    /// - Throws: ``CollectorError`` if no descriptor is left. The connection then stays in the system's queue.
    init?(acceptedBy listener: SocketHandle) throws(CollectorError) {
        interruption = try WakePipe()
        guard let socket = try listener.accepted() else { return nil }
        self.socket = socket
    }

    /// Ends the connection from another thread.
    ///
    /// Blocked calls of its owner return.
    func interrupt() {
        interruption.set()
        socket.shutDown()
    }

    /// Waits for a time.
    ///
    /// - Returns: `false` if the connection was interrupted.
    func pause(_ time: Duration) -> Bool {
        SocketHandle.wait(for: [interruption.socket], upTo: time) == nil
    }

    /// Waits until a hold is released.
    ///
    /// - Returns: `false` if the connection was interrupted or the peer closed it.
    func wait(for hold: CollectorHold) -> Bool {
        guard !hold.isReleased else { return true }
        guard let released = try? WakePipe() else { return false }
        hold.whenReleased { released.set() }
        var sockets = [socket, interruption.socket, released.socket]
        while !hold.isReleased {
            guard let ready = SocketHandle.wait(for: sockets), !ready.contains(interruption.socket) else {
                return false
            }
            if ready.contains(socket) {
                var byte: [UInt8] = [0]
                guard socket.receive(into: &byte, in: 0..<1, peeking: true) > 0 else { return false }
                sockets.removeFirst()
            }
        }
        return true
    }

    /// Reads and discards all data until the peer closes the connection.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while socket.receive(into: &buffer, in: buffer.indices) > 0 {}
    }

    /// Ends writing, and gives the peer time to read the response before the descriptor is closed.
    func linger() {
        socket.shutDownWriting()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        var rounds = 64
        while rounds > 0, SocketHandle.wait(for: [socket], upTo: .milliseconds(200)) != nil {
            guard socket.receive(into: &buffer, in: buffer.indices) > 0 else { return }
            rounds -= 1
        }
    }
}
