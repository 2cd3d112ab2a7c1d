#if !canImport(Darwin)
import CCurl
import Dispatch
import FoundationEssentials
import Locks

/// The state of libcurl that a process has once: its set-up, its threads, and their end before the process exits.
///
/// OpenSSL's exit handler frees memory that a running transfer, or a thread that is ending, still uses. The handler
/// here ends all threads first. Exit handlers run in reverse order of their registration and have no context, so this
/// one is registered before the first thread starts, and it finds the threads in a static variable.
enum CurlLibrary {
    private struct Entry {
        weak let loop: CurlLoop?
        let thread: CurlThread
    }

    private struct Loops {
        var entries: [Entry] = []
        var isExiting = false
    }

    /// The maximum time that the exit of the process waits for the threads.
    ///
    /// They end within milliseconds. A thread that starts eight handshakes reads the system's certificates first, which
    /// takes a second on a very busy machine.
    private static let maximumExitTime = DispatchTimeInterval.seconds(5)
    private static let loops = Mutex(Loops())

    /// Whether the exit handler is registered; the first access registers it.
    ///
    /// The thread that sets up libcurl initializes OpenSSL later than this. A handler that OpenSSL registered then
    /// would run before this one, so OpenSSL registers none.
    private static let endsThreadsAtExit: Bool = {
        ccurl_skip_tls_cleanup_at_exit()
        return ccurl_at_exit { CurlLibrary.endAll() } == 0
    }()

    /// Whether libcurl is set up; the first access sets it up.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

    /// Whether libcurl has a file of the system's authorities, beside the folder.
    static let hasAuthoritiesFile = ccurl_has_authorities_file() != 0

    /// Runs a loop on its own thread, which ends before the process exits.
    ///
    /// - Returns: `false` if the system has no thread left or the process is exiting.
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

/// A thread of the system that a loop runs on.
final class CurlThread: Sendable {
    private static let stackSize = 512 * 1024

    /// What runs on the thread, in the form in which C hands it on.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        let ended = DispatchSemaphore(value: 0)

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    private let ended: DispatchSemaphore
    private let identifier: UInt

    /// Starts a thread; `nil` when the system has none.
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

    /// Waits until the thread is gone or a moment has come; whether it is gone, after which nobody may ask again.
    func join(by moment: DispatchTime) -> Bool {
        guard ended.wait(timeout: moment) == .success else { return false }
        ccurl_thread_join(identifier)
        return true
    }
}

extension TransportError {
    /// Translates what libcurl reports.
    ///
    /// The code of a failed handshake does not tell one that was refused from one that was cut off. CURLINFO_OS_ERRNO
    /// does not either: it may be left over from another address of the same host. OpenSSL's text does; 8.14 words a
    /// mere end of the connection as an unexpected EOF in its routines.
    ///
    /// - Parameters:
    ///   - code: The code with which libcurl ended the transfer.
    ///   - detail: The text in its error buffer.
    ///   - systemError: The `errno` of the last address that it tried to connect to; 0 if there is none.
    init(_ code: CURLcode, detail: String, systemError: Int32 = 0) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_COULDNT_RESOLVE_HOST: self = .hostNotFound
        case CURLE_COULDNT_CONNECT where systemError == ECONNREFUSED: self = .connectionRefused
        case CURLE_COULDNT_CONNECT where systemError == ETIMEDOUT: self = .timedOut
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: self = .connectionLost
        case CURLE_PEER_FAILED_VERIFICATION where detail.contains("subject name"): self = .hostMismatch
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE,
            CURLE_USE_SSL_FAILED, CURLcode(98):  // CURLE_SSL_CLIENTCERT, new in 7.77
            self = .untrusted
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            let isRefused = detail.contains("SSL routines") && !detail.contains("unexpected eof")
            self = isRefused ? .untrusted : code == CURLE_SSL_CONNECT_ERROR ? .handshakeFailed : .connectionLost
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY,  // a line beyond 100 kB, 7.88
            CURLcode(100):  // CURLE_TOO_LARGE, new in 8.6: such a line
            self = .invalidResponse
        default: self = .connectionFailed(code: Int(code.rawValue))
        }
    }

    /// The meaning of a code of libcurl, such as `Couldn't connect to server (libcurl 7)`.
    static func meaning(of code: Int) -> String {
        let text = UInt32(exactly: code).map { String(cString: curl_easy_strerror(CURLcode($0))) } ?? "unknown"
        return "\(text) (libcurl \(code))"
    }
}
#endif
