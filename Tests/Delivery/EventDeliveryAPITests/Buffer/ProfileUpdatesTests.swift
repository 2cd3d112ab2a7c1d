import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDeliveryAPI

/// Tests of the rule by which an unchanged update is not sent again.
@Suite final class ProfileUpdatesTests {
    private var updates = ProfileUpdates()

    @Test func `an update is new until it is accepted, and when a value, the user or the kind differs`() {
        let first = call(["plan": "gold", "orders": 1])
        let isKnownBefore = isAccepted(first)
        updates.record(first, isAccepted: true)

        #expect(!isKnownBefore)
        for known: EventParameters in [["orders": 1, "plan": "gold"], ["plan": "gold"], []] {
            #expect(isAccepted(call(known)))
        }
        for new: EventParameters in [["plan": "free"], ["orders": 1.5], ["city": "Łódź"], ["plan": "gold", "x": 1]] {
            #expect(!isAccepted(call(new)))
        }
        #expect(!isAccepted(call(["plan": "gold"], user: "b")))
        #expect(!isAccepted(call(["plan": "gold"], device: "d2")))
        #expect(!isAccepted(call(["plan": "gold"], kind: .group)))
        #expect(!isAccepted(call(["plan": "gold"], subject: "g")))
    }

    @Test func `accepted traits add up, and the last value counts`() {
        for traits: EventParameters in [["a": 1], ["b": 1], ["a": 2]] { updates.record(call(traits), isAccepted: true) }

        #expect(isAccepted(call(["a": 2, "b": 1])))
        #expect(!isAccepted(call(["a": 1])))
    }

    @Test func `a drop makes everything of its user new`() {
        updates.record(call(["a": 1]), isAccepted: true)
        updates.record(call(["a": 1], user: "b"), isAccepted: true)
        updates.record(call(["b": 2]), isAccepted: false)

        #expect(!isAccepted(call(["a": 1])))
        #expect(isAccepted(call(["a": 1], user: "b")))
    }

    @Test func `a decision or an erasure makes every update new`() {
        updates.record(call(["a": 1]), isAccepted: true)

        #expect(isAccepted(call(["a": 1])))
        #expect(!isAccepted(call(["a": 1], number: 1)))
        #expect(!isAccepted(call(["a": 1])))
    }

    @Test func `a sensitive value and its policy are compared too`() {
        let mail = EventParameters.sensitive(Sensitive("a@example.com"), as: "mail", policy: .hash)
        updates.record(call(mail), isAccepted: true)

        #expect(isAccepted(call(mail)))
        #expect(!isAccepted(call(.sensitive(Sensitive("b@example.com"), as: "mail", policy: .hash))))
        #expect(!isAccepted(call(.sensitive(Sensitive("a@example.com"), as: "mail", policy: .drop))))
        #expect(!isAccepted(call(["mail": "a@example.com"])))
    }

    @Test func `users are compared by bytes`() {
        updates.record(call(["a": 1], user: "caf\u{E9}"), isAccepted: true)

        #expect(!isAccepted(call(["a": 1], user: "cafe\u{301}")))
    }

    @Test func `the accepted updates of the last 256 users are known`() {
        for number in 0...256 { updates.record(call(["a": 1], user: "u\(number)"), isAccepted: true) }

        #expect(!isAccepted(call(["a": 1], user: "u0")))
        #expect(isAccepted(call(["a": 1], user: "u1")))
        #expect(isAccepted(call(["a": 1], user: "u256")))
    }

    @Test func `with more than 1,024 accepted traits, all of a user's traits are new again`() {
        for number in 1...1_024 { updates.record(call([ParameterKey("trait_\(number)"): 1]), isAccepted: true) }
        let isKnownBefore = isAccepted(call(["trait_1": 1]))

        updates.record(call(["trait_1025": 1]), isAccepted: true)

        #expect(isKnownBefore)
        #expect(!isAccepted(call(["trait_1": 1])) && !isAccepted(call(["trait_1025": 1])))
    }

    @Test func `of more than 256 waiting updates, the oldest are dropped and counted by kind`() {
        updates.add(call([:], kind: .alias))
        for number in 0..<257 { updates.add(call(["n": .int(number)])) }

        let (calls, excess) = updates.takeWaiting()
        let later = updates.takeWaiting()

        #expect(calls.map(\.parameters) == (1..<257).map { ["n": .int($0)] })
        #expect(excess == [.alias: 1, .traits: 1])
        #expect(later.calls.isEmpty && later.excess.isEmpty)
    }

    private func isAccepted(_ call: UpdateCall) -> Bool { updates.isAccepted(call) }

    private func call(
        _ parameters: EventParameters,
        kind: ProfileUpdate = .traits,
        subject: String = "",
        user: String = "a",
        device: String = "d",
        number: UInt64 = 0
    ) -> UpdateCall {
        var identity = Identity.stub(deviceID: device)
        identity.setUser(KnownUser(user))
        return UpdateCall(
            kind: kind,
            parameters: parameters,
            subject: subject,
            time: Timestamp(microseconds: 0),
            number: number,
            identity: FrozenIdentity(identity)
        )
    }
}
