#if !canImport(Darwin)
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

/// Tests the sentence of `explanation` for each broken receiver, over the platform's transport.
@Suite(.timeLimit(.minutes(2))) struct BrokenReceiverTests {
    /// A fault of a receiver.
    enum Fault: Sendable {
        case refused
        case unknownName
        case reset
        case noTLS
        case silent
        case status(Int)
        case selfSigned
        case otherHost
    }

    @Test(arguments: [
        (Fault.refused, "127.0.0.1:PORT refused the connection: check its port, and that it runs"),
        (.unknownName, "the host of collector.invalid:80 was not found: check its name, and the network"),
        (.reset, "127.0.0.1:PORT closed the connection before it responded: check the receiver"),
        (.noTLS, "the TLS handshake with localhost:PORT failed: check that its port speaks TLS"),
        (.silent, "127.0.0.1:PORT did not respond within 30 s: check the receiver and the network"),
        (.status(500), "the receiver is busy or fails (status 500)"),
        (.status(401), "the receiver refuses the credentials (status 401): correct the credentials, or call resume()"),
        (.status(413), "the receiver refuses the size of the body (status 413): the engine sends smaller batches"),
        (.selfSigned, "the certificate of localhost:PORT is not trusted: check it, the clock and the CA file"),
        (.otherHost, "the certificate of localhost:PORT is for another host: check the address and the certificate"),
    ]) func `each broken receiver is explained`(fault: Fault, sentence: String) async throws {
        let scene = try await Scene(fault)
        let diagnostics = scene.engine.diagnostics()

        try await scene.open()
        for await diagnostic in diagnostics where diagnostic.endsAnAttempt { break }
        let lane = try #require(await scene.engine.statistics().first)
        await scene.engine.close(timeout: .zero)

        let expected = sentence.replacing("PORT", with: "\(scene.port)")
        #expect(lane.explanation?.hasPrefix(expected) == true, "\(lane.explanation ?? "")")
        #expect(lane.explanation?.contains("libcurl") == false)
    }

    @Test func `a receiver that does not respond is reported after five seconds`() async throws {
        let scene = try await Scene(.silent, timeout: .seconds(60))
        try await scene.open()
        await scene.collector?.tally { $0.requests == 1 }

        scene.clock.advance(by: .seconds(4))
        let early = await scene.engine.statistics().first
        scene.clock.advance(by: .seconds(8))
        let late = await scene.engine.statistics().first
        await scene.engine.close(timeout: .zero)

        #expect(early?.explanation == nil && early?.requestAge == .seconds(4))
        #expect(late?.explanation?.hasPrefix("127.0.0.1:\(scene.port) has not responded for 12 s") == true)
    }

    @Test(arguments: [(4, nil), (12, "did not respond within 12 s")])
    func `a receiver that was silent until the engine closed is named afterwards`(wait: Int, end: String?) async throws
    {
        let scene = try await Scene(.silent, timeout: .seconds(60))
        try await scene.open()
        await scene.collector?.tally { $0.requests == 1 }

        scene.clock.advance(by: .seconds(wait))
        await scene.engine.close(timeout: .zero)
        let lane = await scene.engine.statistics().first

        // The engine has no directory.
        let loss = "1 event is lost, because the engine was closed"
        let silence = end.map { "127.0.0.1:\(scene.port) \($0)" }
        #expect(lane?.explanations.map(\.cause) == [silence].compactMap(\.self) + [loss])
        #expect(lane?.lastFailure?.code == end.map { $0.replacing("did not respond", with: "no response") })
    }
}

/// An engine with one lane that sends to a broken receiver.
private struct Scene {
    let engine: DeliveryEngine
    let clock = TestClock()
    let collector: LoopbackCollector?
    let port: Int
    private let server: TLSServer?
    private let folder: TemporaryQueue
    private let destination: LineDestination
    private let transport: ImpatientTransport

    init(_ fault: BrokenReceiverTests.Fault, timeout: Duration? = nil) async throws {
        let (folder, clock) = (try TemporaryQueue(), clock)
        self.folder = folder
        engine = DeliveryEngine(clock: clock)
        let authority = try TestAuthority(in: folder.url)
        var configuration = CurlConfiguration()
        switch fault {
        case .refused, .unknownName:
            collector = try LoopbackCollector()
            collector?.close()
        case .reset: collector = try LoopbackCollector(script: .always(.reset))
        case .noTLS: collector = try LoopbackCollector(script: .accept.opening { .close })
        case .silent: collector = try LoopbackCollector(script: .always(.neverRespond))
        case .status(let status):
            collector = try LoopbackCollector(script: .always(.respond(CollectorResponse(status, text: ""))))
        case .selfSigned, .otherHost: collector = nil
        }
        switch fault {
        case .selfSigned: server = try await TLSServer(authority.certificate())
        case .otherHost:
            server = try await TLSServer(authority.certificate(for: "DNS:other.example"))
            configuration.authorities = authority.file
        default: server = nil
        }
        port = server?.port ?? Int(collector?.port ?? 0)
        let address =
            switch fault {
            case .unknownName: "http://collector.invalid/"
            case .noTLS, .selfSigned, .otherHost: "https://localhost:\(port)/"
            default: "http://127.0.0.1:\(port)/"
            }
        destination = LineDestination(endpoint: try #require(URL(string: address)))
        // A silent receiver is waited for until the timeout.
        let isSilent = if case .silent = fault { true } else { false }
        transport = ImpatientTransport(
            base: CurlTransport(configuration),
            timeout: timeout ?? (isSilent ? .milliseconds(300) : .seconds(20))
        )
    }

    /// Opens the engine and tracks one event.
    func open() async throws {
        engine.lane(destination.lane).track("viewed", parameters: [:])
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
    }
}

/// A transport with a shorter timeout, to make the test fast.
private struct ImpatientTransport: Transport {
    let base: CurlTransport
    let timeout: Duration

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        try await base.send(request, timeout: self.timeout)
    }
}

extension Diagnostic {
    /// Whether a request has failed and the lane's row contains the reason.
    fileprivate var endsAnAttempt: Bool {
        switch self {
        case .retrying, .paused, .quarantined: true
        default: false
        }
    }
}
#endif
