import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// Consent files that are damaged, or were crafted.
@Suite struct DamagedConsentTests {
    /// What keeps a consent file from being trusted.
    enum Damage: CaseIterable {
        case flippedBit, empty, hardLink, symbolicLink, writableByOthers

        func apply(to file: URL) throws {
            let aside = file.deletingLastPathComponent().appending(path: "aside")
            switch self {
            case .flippedBit:
                var data = try Data(contentsOf: file)
                data[data.count - 1] ^= 1
                try data.write(to: file)
            case .empty: try Data().write(to: file)
            case .hardLink: try FileManager.default.linkItem(at: file, to: aside)
            case .symbolicLink:
                try FileManager.default.moveItem(at: file, to: aside)
                try FileManager.default.createSymbolicLink(at: file, withDestinationURL: aside)
            case .writableByOthers:
                try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: file.path)
            }
        }
    }

    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test(arguments: Damage.allCases, [Consent.granted, .denied, nil])
    func `a denied purpose is unknown until the app decides, whichever decision about another one is stored`(
        damage: Damage,
        other: Consent?
    ) async throws {
        let first = try await open()
        try await first.setConsent(.denied, for: .analytics)
        await first.close(deadline: .zero)
        try damage.apply(to: queue.url.appending(path: "consent"))
        let second = try await open()
        if let other { try await second.setConsent(other, for: .marketing) }
        await second.close(deadline: .zero)

        let transport = ScriptedTransport()
        let third = try await open(transport)
        GrantedEngine.track("UNKNOWN", by: third)
        let held = await third.flush(deadline: .seconds(30))

        #expect(held.lanes.map(\.outcome) == [.withoutConsent])
        #expect(await third.statistics().map(\.consent) == [.unknown])
        #expect(transport.requests.isEmpty)
        try await third.setConsent(.granted, for: .analytics)
        await third.close(deadline: .zero)
        let fourth = try await open(transport)
        #expect(await fourth.statistics().map(\.consent) == [.granted])
        #expect(await fourth.flush(deadline: .seconds(30)).isDrained)
        #expect(transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined().contains("UNKNOWN"))
        await fourth.close(deadline: .zero)
    }

    @Test(arguments: [1 << 48 - 1, 1 << 48, 1 << 48 + 1, UInt64(Int64.max), .max >> 2, .max])
    func `a decision's number at the end of its range does not block later decisions`(number: UInt64) async throws {
        let text = CheckedText.bytes("analytics\tgranted\t\(number)\t-\t0\n", under: "consent 1")
        try Data(text).write(to: queue.url.appending(path: "consent"))
        let first = try await open()
        for word in [Consent.denied, .granted, .denied] { try await first.setConsent(word, for: .analytics) }
        await first.close(deadline: .zero)

        let second = try await open()
        #expect(await second.statistics().map(\.consent) == [.denied])
        try await second.setConsent(.granted, for: .analytics)
        await second.close(deadline: .zero)

        let third = try await open()
        #expect(await third.statistics().map(\.consent) == [.granted])
        await third.close(deadline: .zero)
    }

    @Test(arguments: [1 << 48 + 1, UInt64(Int64.max), .max])
    func `a queue's note of a number beyond the range hides no later denial`(number: UInt64) async throws {
        try await GrantedEngine.leave("REFUSED", in: queue.url)
        try queue.execute("INSERT OR REPLACE INTO meta VALUES ('denied:analytics', '\(number)')")
        // Another process was told of a denial and a grant after that, and the one of this queue was killed.
        let granted = StoredDecision(purpose: "analytics", consent: "granted", number: 2, owesPurge: false, denial: 1)
        try ConsentFile.write([granted], in: OutboxDirectory(queue.url))

        let (_, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))

        #expect(try await store.firstLedger() == (0, [.consentDenied: 3]))
        await store.stop()
    }

    private func open(_ transport: ScriptedTransport? = nil) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = GrantedEngine.configuration(queue.url, transport)
        configuration.consent = [:]
        try await engine.open(configuration)
        return engine
    }
}
