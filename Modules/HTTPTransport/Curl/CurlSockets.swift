#if !canImport(Darwin)
import CCurl
import Foundation
import Synchronization

/// The sockets of one loop, so that another thread can break them when libcurl does not come back.
///
/// libcurl has this object's address for as long as a connection lives: the loop keeps it beyond the multi handle. A
/// socket is closed under the lock under which it is broken, so none of the numbers can be another file's by then.
final class CurlSockets: Sendable {
    private let open = Mutex<Set<Int32>>([])

    /// Ends all connections and drops what they have not sent yet; any thread may.
    func breakAll() {
        open.withLock { open in
            for socket in open { ccurl_socket_break(socket) }
        }
    }

    /// Ends the connections on which something has come that nobody asked for; all are idle when it is called.
    ///
    /// libcurl before 8.0 would take it for the answer to the connection's next request.
    func breakUnasked() {
        open.withLock { open in
            for socket in open where ccurl_socket_has_input(socket) != 0 {
                ccurl_socket_break(socket)
            }
        }
    }

    /// Has libcurl open and close the sockets of a handle here.
    func attach(to handle: UnsafeMutableRawPointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_set_sockets(handle, CurlSockets.opener, CurlSockets.closer, context) == CURLE_OK
    }

    private static let opener: ccurl_opener = { context, _, address in
        guard let context, let address else { return -1 }
        return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open.withLock { open in
            let socket = ccurl_socket_open(address)
            if socket >= 0 { open.insert(socket) }
            return socket
        }
    }

    private static let closer: ccurl_closer = { context, socket in
        guard let context else { return close(socket) }
        return Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().open.withLock { open in
            open.remove(socket)
            return close(socket)
        }
    }
}
#endif
