#if !canImport(Darwin)
import CCurl
import Dispatch
import FoundationEssentials
import Locks

/// The process-wide state of libcurl: its setup, its threads and their shutdown at exit.
///
/// OpenSSL's exit handler frees memory still used by a running transfer or an ending thread. The handler of this type
/// ends all threads first. Exit handlers run in reverse order of their registration and have no context. This one is
/// therefore registered before the first thread starts, and finds the threads in a static variable.
enum CurlLibrary {
    private struct Entry {
        weak let loop: CurlLoop?
        let thread: CurlThread
    }

    private struct Loops {
        var entries: [Entry] = []
        var isExiting = false
    }

    /// The maximum wait for the threads at the exit of the process.
    ///
    /// They usually end within milliseconds. A thread that starts eight handshakes reads the system's certificates
    /// first, which takes a second on a very busy machine.
    private static let maximumExitTime = DispatchTimeInterval.seconds(5)
    private static let loops = Mutex(Loops())

    /// Whether the exit handler is registered.
    ///
    /// The first access registers it.
    ///
    /// OpenSSL is initialized later, by the thread that sets up libcurl. If OpenSSL registered a handler then, it would
    /// run before this one, so OpenSSL's handler is disabled.
    private static let endsThreadsAtExit: Bool = {
        ccurl_skip_tls_cleanup_at_exit()
        _ = process
        return ccurl_at_exit { CurlLibrary.endAll() } == 0
    }()
    /// The process that has registered the exit handler.
    ///
    /// A forked process inherits the handler and the connections, but not the threads.
    private static let process = getpid()

    /// Whether libcurl is set up.
    ///
    /// The first access sets it up.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

    /// Whether libcurl has a file of the system's certificate authorities, in addition to the folder.
    static let hasAuthoritiesFile = ccurl_has_authorities_file() != 0

    /// Runs a loop on a new thread, which ends before the process exits.
    ///
    /// - Parameters:
    ///   - loop: The loop, which is abandoned at exit.
    ///   - body: The function to run on the thread.
    /// - Returns: `false` if the system cannot start a thread or the process is exiting.
    static func run(_ loop: CurlLoop, _ body: @escaping @Sendable () -> Void) -> Bool {
        guard endsThreadsAtExit else { return false }
        return loops.withLock { loops in
            loops.entries.removeAll { $0.thread.join(by: .now()) }
            guard !loops.isExiting, let thread = CurlThread(body) else { return false }
            loops.entries.append(Entry(loop: loop, thread: thread))
            return true
        }
    }

    private static func endAll() {
        guard getpid() == process else { return }
        let all = loops.withLock { loops in
            defer { loops.entries = [] }
            loops.isExiting = true
            return loops.entries
        }
        for entry in all { entry.loop?.abandon() }
        let moment = DispatchTime.now() + maximumExitTime
        for entry in all { _ = entry.thread.join(by: moment) }
    }
}

/// A system thread that runs a loop.
final class CurlThread: Sendable {
    private static let stackSize = 512 * 1024

    /// The function that runs on the thread, in a form that C can pass on.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        let ended = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private let ended: DispatchSemaphore
    private let identifier: UInt

    /// Starts a thread, or returns `nil` if the system cannot start one.
    init?(_ body: @escaping @Sendable () -> Void) {
        let work = Work(body)
        let context = Unmanaged.passRetained(work)
        ended = work.ended
        identifier = ccurl_thread_start(
            { context in
                guard let context else { return nil }
                let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                ccurl_thread_name("CurlLoop")
                work.body()
                work.ended.signal()
                return nil
            },
            context.toOpaque(),
            CurlThread.stackSize
        )
        guard identifier != 0 else {
            context.release()
            return nil
        }
    }

    /// Waits until the thread has ended.
    ///
    /// - Parameter moment: The end of the wait.
    /// - Returns: Whether the thread has ended. After `true`, do not call this method again.
    func join(by moment: DispatchTime) -> Bool {
        guard ended.wait(timeout: moment) == .success else { return false }
        ccurl_thread_join(identifier)
        return true
    }
}

extension TransportError {
    /// Creates an error from a result of libcurl.
    ///
    /// The code of a failed handshake does not distinguish a rejected handshake from a lost connection.
    /// CURLINFO_OS_ERRNO does not either, because it may be the error of another address of the same host. OpenSSL's
    /// text does: version 8.14 reports a lost connection as an unexpected EOF in its routines.
    ///
    /// - Parameters:
    ///   - code: The code with which libcurl ended the transfer.
    ///   - detail: The text in its error buffer.
    ///   - systemError: The `errno` of the last connection attempt, or 0 if there is none.
    init(_ code: CURLcode, detail: String, systemError: Int32 = 0) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_COULDNT_RESOLVE_HOST: self = .hostNotFound
        case CURLE_COULDNT_CONNECT where systemError == ECONNREFUSED: self = .connectionRefused
        case CURLE_COULDNT_CONNECT where systemError == ETIMEDOUT: self = .timedOut
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: self = .connectionLost
        case CURLE_PEER_FAILED_VERIFICATION where detail.contains("subject name"): self = .hostMismatch
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED,
            CURLcode(98):  // CURLE_SSL_CLIENTCERT, new in 7.77
            self = .untrusted
        case CURLE_SSL_CACERT_BADFILE: self = .unreadableAuthorities
        case CURLE_SSL_CERTPROBLEM: self = .unusableCertificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            let isRefused = detail.contains("SSL routines") && !detail.contains("unexpected eof")
            self = isRefused ? .untrusted : code == CURLE_SSL_CONNECT_ERROR ? .handshakeFailed : .connectionLost
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY,  // A line exceeds 100 kB (libcurl 7.88).
            CURLcode(100):  // CURLE_TOO_LARGE, new in 8.6: a line exceeds 100 kB.
            self = .invalidResponse
        default: self = .connectionFailed(code: Int(code.rawValue))
        }
    }

    /// Returns the meaning of a libcurl code, such as `Couldn't connect to server (libcurl 7)`.
    static func meaning(of code: Int) -> String {
        let text = UInt32(exactly: code).map { String(cString: curl_easy_strerror(CURLcode($0))) } ?? "unknown"
        return "\(text) (libcurl \(code))"
    }
}
#endif
