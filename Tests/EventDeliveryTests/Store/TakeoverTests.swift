import CoreTracker
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDelivery
@testable import EventOutbox

/// What becomes of an ended process's file where another one has not learnt yet of all that it had learnt.
@Suite struct TakeoverTests {
    private let lane = LineDestination().lane
    private let queue: TemporaryQueue

    init() throws {
        queue = try TemporaryQueue()
    }

    @Test func `what was tracked after a grant stays where an erasure is learnt before the denial that it followed`()
        async throws
    {
        let (_, store) = try await process(besideOneThatErased: "nobody")

        _ = await store.nextStep(lane: 0)

        #expect(try await store.firstLedger() == (3, [.consentDenied: 3]))
        #expect(try queue.contents().contains("LATER"))
        #expect(try !queue.contents().contains("BEFORE"))
        await store.stop()
    }

    @Test func `what a user did after an erasure stays, however often what is asked for later is erased`() async throws
    {
        let (intake, store) = try await process(besideOneThatErased: "ali")
        track("veli", "OTHER", by: intake)

        _ = await store.nextStep(lane: 0)
        _ = intake.erase(UserMark(userID: "veli"))
        _ = try await store.erase()

        #expect(try await store.firstLedger().pending == 3)
        #expect(try queue.contents().contains("LATER"))
        #expect(try !queue.contents().contains("BEFORE") && !queue.contents().contains("OTHER"))
        await store.stop()
    }

    @Test func `what was tracked after a grant stays where a process takes it over that knows the denial alone`()
        async throws
    {
        let (intake, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))
        intake.say(.denied, about: .analytics)
        try await store.applyConsent(after: .denied, about: .analytics)
        let ended = try await GrantedEngine.open(queue.url)
        try await ended.setConsent(.granted, for: .analytics)
        try await ended.erase(user: "nobody")
        GrantedEngine.track("LATER", by: ended)
        await ended.close(deadline: .zero)

        intake.say(.denied, about: .marketing)
        try await store.applyConsent(after: .denied, about: .marketing)

        #expect(try await store.firstLedger() == (3, [:]))
        await store.stop()
    }

    @Test(arguments: [true, false])
    func `a file that this version cannot read keeps nobody from the files that came after it`(isDenial: Bool)
        async throws
    {
        let newer = try await GrantedEngine.open(queue.url)
        newer.lane(lane).track("viewed", parameters: [:])
        await newer.close(deadline: .zero)
        try queue.execute("PRAGMA user_version = 99")
        let (intake, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))
        let ended = try await GrantedEngine.open(queue.url)
        ended.identify(user: "ali")
        ended.lane(lane).track("viewed", parameters: ["canary": "REFUSED"])
        await ended.close(deadline: .zero)

        if isDenial {
            intake.say(.denied, about: .analytics)
            await #expect(throws: OutboxError.newerVersion(99)) {
                try await store.applyConsent(after: .denied, about: .analytics)
            }
        } else {
            _ = intake.erase(UserMark(userID: "ali"))
            await #expect(throws: OutboxError.newerVersion(99)) { try await store.erase() }
        }

        #expect(try !queue.contents().contains("REFUSED"))
        #expect(try await store.firstLedger() == (0, [isDenial ? .consentDenied : .erased: 1]))
        await store.stop()
    }

    /// A process with events of a user, beside the file of one that was told of a denial, a grant and an erasure, has
    /// tracked more events of that user since, and has ended.
    private func process(besideOneThatErased user: String) async throws -> (Intake, DeliveryStore) {
        let (intake, store) = await DeliveryStore.open(GrantedEngine.configuration(queue.url))
        track("ali", "BEFORE", by: intake)
        await store.persistAll(barrier: true)
        let ended = try await GrantedEngine.open(queue.url)
        for word in [Consent.denied, .granted] { try await ended.setConsent(word, for: .analytics) }
        try await ended.erase(user: user)
        ended.identify(user: "ali")
        GrantedEngine.track("LATER", by: ended)
        await ended.close(deadline: .zero)
        return (intake, store)
    }

    private func track(_ user: String, _ canary: String, by intake: Intake) {
        intake.identity.change { $0.setUser(user) }
        for _ in 1...3 { intake.lane(lane).track("viewed", parameters: ["canary": .string(canary)]) }
    }
}
