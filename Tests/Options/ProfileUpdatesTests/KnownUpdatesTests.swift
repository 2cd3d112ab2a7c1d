import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Testing

@testable import ProfileUpdates

/// Tests of the rule by which an unchanged update is not sent again.
@Suite final class KnownUpdatesTests {
    private var known = KnownUpdates()

    @Test func `an update is new until it is accepted, and when a value, the user or the kind differs`() {
        let first = call(["plan": "gold", "orders": 1])
        let isKnownBefore = isAccepted(first)
        known.record(first, isAccepted: true)

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
        for traits: EventParameters in [["a": 1], ["b": 1], ["a": 2]] { known.record(call(traits), isAccepted: true) }

        #expect(isAccepted(call(["a": 2, "b": 1])))
        #expect(!isAccepted(call(["a": 1])))
    }

    @Test func `a drop makes everything of its user new`() {
        known.record(call(["a": 1]), isAccepted: true)
        known.record(call(["a": 1], user: "b"), isAccepted: true)
        known.record(call(["b": 2]), isAccepted: false)

        #expect(!isAccepted(call(["a": 1])))
        #expect(isAccepted(call(["a": 1], user: "b")))
    }

    @Test func `a decision or an erasure makes every update new`() {
        known.record(call(["a": 1]), isAccepted: true)

        #expect(isAccepted(call(["a": 1])))
        #expect(!isAccepted(call(["a": 1], number: 1)))
        #expect(!isAccepted(call(["a": 1])))
    }

    @Test func `a sensitive value and its policy are compared too`() {
        let mail = EventParameters.sensitive(Sensitive("a@example.com"), as: "mail", policy: .hash)
        known.record(call(mail), isAccepted: true)

        #expect(isAccepted(call(mail)))
        #expect(!isAccepted(call(.sensitive(Sensitive("b@example.com"), as: "mail", policy: .hash))))
        #expect(!isAccepted(call(.sensitive(Sensitive("a@example.com"), as: "mail", policy: .drop))))
        #expect(!isAccepted(call(["mail": "a@example.com"])))
    }

    @Test func `sensitive values are compared in a group's traits and in objects too`() {
        let mail = { (text: String) in EventParameters.sensitive(Sensitive(text), as: "mail", policy: .hash) }
        let (first, second) = (mail("a@example.com"), mail("b@example.com"))
        for (kind, key) in [(ProfileUpdate.group, ParameterKey("traits")), (.traits, "address")] {
            known.record(call([EventParameter(key, ParameterValue.object(first))], kind: kind), isAccepted: true)

            #expect(isAccepted(call([EventParameter(key, ParameterValue.object(first))], kind: kind)))
            #expect(!isAccepted(call([EventParameter(key, ParameterValue.object(second))], kind: kind)))
        }
    }

    @Test func `a group's traits add up, and a removed one that was set again can be removed again`() {
        let group = { (traits: EventParameters, removed: [ParameterKey]) in
            self.call(traits.isEmpty ? [:] : ["traits": .object(traits)], kind: .group, removing: removed)
        }
        for update in [group([:], ["phone"]), group(["phone": 1], []), group(["seats": 2], ["city"])] {
            known.record(update, isAccepted: true)
        }

        #expect(isAccepted(group(["phone": 1], [])) && isAccepted(group(["seats": 2, "phone": 1], ["city"])))
        #expect(!isAccepted(group([:], ["phone"])))
    }

    @Test func `users are compared by bytes`() {
        known.record(call(["a": 1], user: "caf\u{E9}"), isAccepted: true)

        #expect(!isAccepted(call(["a": 1], user: "cafe\u{301}")))
    }

    @Test func `texts are compared by bytes, also in lists and objects`() {
        let forms: [ParameterValue] = ["Zo\u{E9}", ["Zo\u{E9}"], ["name": "Zo\u{E9}"]]
        let others: [ParameterValue] = ["Zoe\u{301}", ["Zoe\u{301}"], ["name": "Zoe\u{301}"]]
        for (form, other) in zip(forms, others) {
            known.record(call(["name": form]), isAccepted: true)

            #expect(isAccepted(call(["name": form])))
            #expect(!isAccepted(call(["name": other])))
        }
    }

    @Test func `the updates of the last 256 users are known`() {
        for number in 0...256 { known.record(call(["a": 1], user: "u\(number)"), isAccepted: true) }

        #expect(!isAccepted(call(["a": 1], user: "u0")))
        #expect(isAccepted(call(["a": 1], user: "u1")))
        #expect(isAccepted(call(["a": 1], user: "u256")))
    }

    @Test func `with more than 1,024 known traits, all of a user's traits are new again`() {
        for number in 1...1_024 { known.record(call([ParameterKey("trait_\(number)"): 1]), isAccepted: true) }
        let isKnownBefore = isAccepted(call(["trait_1": 1]))

        known.record(call(["trait_1025": 1]), isAccepted: true)

        #expect(isKnownBefore)
        #expect(!isAccepted(call(["trait_1": 1])) && !isAccepted(call(["trait_1025": 1])))
    }

    @Test func `of more than 256 waiting updates, the oldest are dropped and counted by kind`() {
        var waiting = WaitingUpdates()
        waiting.add(call([:], kind: .alias))
        for number in 0..<257 { waiting.add(call(["n": .int(number)])) }

        let (updates, excess) = waiting.takeAll()
        let later = waiting.takeAll()

        #expect(updates.map(\.parameters) == (1..<257).map { ["n": .int($0)] })
        #expect(excess == [.alias: 1, .traits: 1])
        #expect(later.updates.isEmpty && later.excess.isEmpty)
    }

    private func isAccepted(_ call: Update) -> Bool { known.contains(call) }

    private func call(
        _ parameters: EventParameters,
        kind: ProfileUpdate = .traits,
        subject: String = "",
        user: String = "a",
        device: String = "d",
        removing removed: [ParameterKey] = [],
        number: UInt64 = 0
    ) -> Update {
        var identity = Identity.stub(deviceID: device)
        identity.setUser(KnownUser(user))
        let call = UpdateCall(
            kind,
            removing: removed,
            time: Timestamp(microseconds: 0),
            number: number,
            identity: FrozenIdentity(identity)
        )
        return Update(call: call, parameters: parameters, subject: subject)
    }
}
