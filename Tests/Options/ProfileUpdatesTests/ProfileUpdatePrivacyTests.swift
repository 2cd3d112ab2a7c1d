import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import ProfileUpdates
import Testing

@testable import EventDeliveryScenes

/// Tests of consent, policies and erasures of traits, groups and aliases.
@Suite(.timeLimit(.minutes(2))) struct ProfileUpdatePrivacyTests: UpdateSuite {
    let scene = UpdateScene()

    @Test func `without consent an update is counted, and after a grant an equal one is sent`() async throws {
        try await open(consent: [.marketing: .denied])

        engine.user.identify("ada", traits: ["plan": "gold"])
        try await engine.setConsent(.granted, for: .marketing)
        engine.user.identify("ada", traits: ["plan": "gold"])
        await engine.storeBuffered()

        #expect(traits.events.count == 1)
        #expect(await dropped()[traits.lane] == [.consentDenied: 1])
        #expect(await accepted()[traits.lane] == 2)
        try await LedgerCheck.check(engine)
    }

    @Test func `without a decision an update is held, and sent after a grant`() async throws {
        let transport = ScriptedTransport()
        let lines = lines()
        try await open([lines], consent: [.analytics: .unknown], transport)
        engine.user.identify("ada", traits: ["plan": "gold"])
        _ = await engine.flush(timeout: .seconds(5))
        let before = transport.requests.count

        try await engine.setConsent(.granted, for: .analytics)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(before == 0)
        #expect(report.isDrained)
        #expect(transport.sentText.contains(#""name":"$identify""#))
        try await LedgerCheck.check(engine)
    }

    @Test func `a denial deletes held and stored updates`() async throws {
        let queue = try TemporaryQueue()
        try await open([lines()], directory: queue.url, UpdateScene.unreachable)
        engine.user.identify("ada", traits: ["plan": "CANARY"])
        await engine.storeBuffered()
        let isStored = try queue.contents().contains("CANARY")

        try await engine.setConsent(.denied, for: .analytics)

        #expect(isStored)
        #expect(try !queue.contents().contains("CANARY"))
        #expect(await dropped() == [lines().lane: [.consentDenied: 1]])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [true, false])
    func `a denial before the opening covers the updates up to the next grant`(isLater: Bool) async throws {
        if isLater { engine.user.identify("ada", traits: ["plan": "gold"]) }
        try? await engine.setConsent(.denied, for: .marketing)
        if !isLater { engine.user.identify("ada", traits: ["plan": "gold"]) }
        try? await engine.setConsent(.granted, for: .marketing)
        engine.user.identify("ada", traits: ["plan": "free"])

        try await open()
        await engine.storeBuffered()

        #expect(traits.events.map(\.parameters) == [["plan": "free"]])
        #expect(all.events.count == 2)
        #expect(await dropped()[traits.lane] == [.consentDenied: 1])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [SensitivePolicy.drop, .hash, .pass(.marketing)])
    func `sensitive traits, groups' traits and users reach only whom their policy allows`(
        policy: SensitivePolicy
    ) async throws {
        let queue = try TemporaryQueue()
        try await open(directory: queue.url, salt: "pepper")
        let mail = Sensitive("CANARY@example.com")
        let sensitive = Traits.sensitive(mail, as: "mail", policy: policy).merging(["plan": "gold"])

        engine.user.identify(mail, policy: policy, traits: sensitive)
        engine.user.group(id: "g-7", traits: sensitive)
        engine.user.alias(from: "before", to: mail, policy: policy)
        await engine.storeBuffered()

        let analytics = all.events.map { ($0.identity.userID, "\($0.parameters)") }
        let marketing = try #require(traits.events.first)
        let isPassed = policy == .pass(.marketing)
        #expect(analytics.count == 3)
        #expect(analytics.allSatisfy { ($0.0 == nil) == (policy != .hash) && !$0.1.contains("CANARY") })
        #expect(analytics.prefix(2).allSatisfy { $0.1.contains("mail") == (policy == .hash) })
        #expect((marketing.parameters["mail"] == "CANARY@example.com") == isPassed)
        #expect((marketing.identity.userID == "CANARY@example.com") == isPassed)
        #expect(try !queue.contents().contains("CANARY"))
        await engine.close(timeout: .zero)
    }

    @Test func `an erasure deletes a user's updates from memory and disk, and makes equal ones new`() async throws {
        let queue = try TemporaryQueue()
        try await open([lines()], directory: queue.url, UpdateScene.unreachable)
        for user in ["ada", "eva"] { engine.user.identify(user, traits: ["canary": .string("CANARY-\(user)")]) }
        engine.user.group(id: "CANARY-group-eva")
        engine.user.alias(from: "CANARY-alias-ada", to: "ada")
        await engine.storeBuffered()
        engine.user.identify("ada", traits: ["canary": "CANARY-later-ada"])

        let erased = try await engine.erase(user: "ada")

        let left = try queue.contents()
        // The last update may not be stored yet.
        #expect([2, 3].contains(erased))
        for canary in ["CANARY-ada", "CANARY-alias-ada", "CANARY-later-ada"] { #expect(!left.contains(canary)) }
        #expect(left.contains("CANARY-eva") && left.contains("CANARY-group-eva"))
        #expect(await dropped() == [lines().lane: [.erased: 3]])
        engine.user.identify("ada", traits: ["canary": "CANARY-later-ada"])
        #expect(await accepted() == [lines().lane: 6])
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    @Test func `an erasure before the opening covers updates that wait`() async throws {
        engine.user.identify("ada", traits: ["plan": "gold"])
        engine.user.identify("eva", traits: ["plan": "gold"])
        await #expect(throws: DecisionError.notStored(.notOpen)) { try await engine.erase(user: "ada") }

        try await open()
        await engine.storeBuffered()

        #expect(all.events.map(\.identity.userID) == ["eva"])
        #expect(await dropped()[all.lane] == [.erased: 1])
        try await LedgerCheck.check(engine)
    }

    @Test func `an update that another process has deleted meanwhile is sent by the next equal call`() async throws {
        let queue = try TemporaryQueue()
        try await open([lines()], directory: queue.url, UpdateScene.unreachable)
        engine.user.identify("ada", traits: ["plan": "CANARY"])
        await engine.suspendStorage()
        let other = DeliveryEngine(clock: clock)
        try await open([lines()], directory: queue.url, UpdateScene.unreachable, on: other)
        try await other.setConsent(.denied, for: .analytics)
        try await other.setConsent(.granted, for: .analytics)
        await other.close(timeout: .zero)
        let isDeleted = try !queue.contents().contains("CANARY")

        await engine.resumeStorage()
        engine.user.identify("ada", traits: ["plan": "CANARY"])
        await engine.storeBuffered()

        #expect(isDeleted)
        #expect(try queue.contents().contains("CANARY"))
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }
}
