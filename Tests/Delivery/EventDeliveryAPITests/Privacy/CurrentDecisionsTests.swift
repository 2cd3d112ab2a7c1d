import CoreTracker
import Testing

@testable import EventDeliveryAPI

@Suite(.timeLimit(.minutes(5))) struct CurrentDecisionsTests {
    private let ads = ConsentPurpose("ads")

    @Test(arguments: [(0, 10), (2, 10), (3, 11), (9, 17)] as [(UInt64, UInt64)])
    func `numbers of this process continue above the stored ones, and earlier ones count as stored`(
        local: UInt64,
        stored: UInt64
    ) {
        var numbers = DecisionNumbers()
        (numbers.start, numbers.base) = (2, 10)

        #expect(numbers.stored(local) == stored)
        #expect(numbers.local(stored) == max(2, local))
        #expect(numbers.local(4) == 2)
    }

    @Test func `a purpose without a decision has the default`() {
        var privacy = CurrentDecisions()
        #expect(privacy.consent(for: ads) == .unknown)

        privacy.accept([.analytics: .denied], fallback: .granted, through: 0)

        #expect(privacy.consent(for: ads) == .granted)
        #expect(privacy.consents == [.analytics: .denied])
    }

    @Test func `a decision is in effect from the call on, until another one`() {
        var privacy = CurrentDecisions()

        let inEffect = record([(ads, .granted), (ads, .denied), (ads, .unknown), (ads, .granted)], in: &privacy) {
            $0.consent(for: ads)
        }

        #expect(inEffect == [.granted, .denied, .unknown, .granted])
        #expect(privacy.denial(of: ads) == 2)
        #expect(privacy.denial(of: .analytics) == 0)
    }

    @Test(
        arguments: [
            ([.granted, .granted, .granted], [1]),
            ([.granted, .unknown, .denied], [3]),
            ([.denied, .denied], [2]),
            ([.denied, .granted, .granted], [1, 2]),
            ([.denied, .granted, .unknown, .granted], [1, 2, 4]),
            ([.denied, .unknown, .granted, .unknown, .granted, .unknown], [1, 2, 6]),
            ([.granted, .unknown, .granted, .unknown], [1, 2, 4]),
        ] as [([Consent], [UInt64])]
    )
    func `decisions without an effect of their own are not kept for the directory`(calls: [Consent], kept: [UInt64]) {
        var privacy = CurrentDecisions()

        record(calls.map { (ads, $0) }, in: &privacy)

        #expect(privacy.unstored.map(\.number) == kept)
        #expect(privacy.consent(for: ads) == calls.last)
    }

    @Test func `a repeated erasure replaces the earlier one of the same user`() {
        var privacy = CurrentDecisions()
        let (user, other) = (UserHash(userID: "ali"), UserHash(userID: "veli"))

        for (index, user) in [user, nil, other, user, nil].enumerated() {
            privacy.record(PrivacyDecision(number: UInt64(index + 1), kind: .erasure(user)))
        }

        #expect(privacy.unstored.map(\.kind) == [.erasure(other), .erasure(user), .erasure(nil)])
        #expect(privacy.unstored.map(\.number) == [3, 4, 5])
        #expect(privacy.consents.isEmpty)
    }

    @Test func `stored decisions leave the list, and later ones stay in effect`() {
        var privacy = CurrentDecisions()
        record([(ads, .granted), (.analytics, .denied), (ads, .unknown)], in: &privacy)

        privacy.accept([ads: .granted, .analytics: .denied], fallback: .unknown, through: 2)

        #expect(privacy.unstored.map(\.number) == [3])
        #expect(privacy.consents == [ads: .unknown, .analytics: .denied])
    }
}

/// Tests of decisions refused by the disk.
extension CurrentDecisionsTests {
    @Test(
        arguments: [
            (.granted, .denied, .denied), (.granted, .unknown, .unknown), (.granted, .granted, .granted),
            (.unknown, .denied, .denied), (.unknown, .unknown, .unknown), (.unknown, .granted, .unknown),
            (.denied, .denied, .denied), (.denied, .unknown, .denied), (.denied, .granted, .denied),
        ] as [(Consent, Consent, Consent)]
    )
    func `of a stored decision and one that the disk refuses, the stricter one is in effect`(
        stored: Consent,
        refused: Consent,
        inEffect: Consent
    ) {
        var privacy = CurrentDecisions()
        record([(ads, refused)], in: &privacy)

        privacy.accept([ads: stored], fallback: .unknown, through: nil)

        #expect(privacy.consent(for: ads) == inEffect)
        #expect(privacy.unstored.map(\.consent) == [refused])
        privacy.accept([ads: refused], fallback: .unknown, through: 1)
        #expect(privacy.consent(for: ads) == refused)
        #expect(privacy.unstored.isEmpty)
    }

    @Test func `after the disk has refused a denial, a grant does not lift it until both are stored`() {
        var privacy = CurrentDecisions()
        record([(ads, .denied)], in: &privacy)
        privacy.accept([ads: .granted], fallback: .unknown, through: nil)

        let decision = PrivacyDecision(number: 2, kind: .consent(ads, .granted))
        privacy.record(decision)
        #expect(privacy.consent(for: ads) == .denied)
        privacy.accept([ads: .granted], fallback: .unknown, through: nil)
        #expect(privacy.consent(for: ads) == .denied)
        #expect(privacy.unstored.map(\.number) == [1, 2])

        privacy.accept([ads: .granted], fallback: .unknown, through: 2)

        #expect(privacy.consent(for: ads) == .granted)
    }

    @Test func `while the disk refuses decisions, a looser one about a purpose with the default is not in effect`() {
        var privacy = CurrentDecisions()
        privacy.accept([:], fallback: .denied, through: nil)

        record([(ads, .granted)], in: &privacy)

        #expect(privacy.consent(for: ads) == .denied)
    }
}

/// Tests of decisions while this process waits for its directory.
extension CurrentDecisionsTests {
    @Test func `a purpose that the configuration denies is denied, unless this process has decided`() {
        var privacy = CurrentDecisions()
        record([(ads, .granted)], in: &privacy)

        privacy.deny([ads, .analytics])

        #expect(privacy.consents == [ads: .granted, .analytics: .denied])
        #expect(privacy.unstored.count == 1)
    }

    @Test func `a process that has given its directory up counts its later calls from 0 again`() {
        var privacy = CurrentDecisions()
        record([(ads, .denied), (ads, .granted)], in: &privacy)
        privacy.accept([ads: .granted], fallback: .unknown, through: 2)

        privacy.awaitDirectory(after: 2)

        #expect(privacy.numbers.stored(2) == 0)
        #expect(privacy.numbers.stored(3) == 1)
    }

    @Test func `calls that are not stored keep their numbers above 0 when the directory is given up`() {
        var privacy = CurrentDecisions()
        record([(ads, .granted), (ads, .denied), (ads, .granted)], in: &privacy)
        privacy.accept([ads: .granted], fallback: .unknown, through: 1)
        privacy.accept([ads: .granted], fallback: .unknown, through: nil)
        #expect(privacy.consent(for: ads) == .denied)

        privacy.awaitDirectory(after: 3)

        #expect(privacy.unstored.map { privacy.numbers.stored($0.number) } == [1, 2])
        #expect(privacy.numbers.stored(1) == 0)
    }

    /// Records decisions with the numbers from 1, and returns a value after each one.
    @discardableResult
    private func record<Value>(
        _ calls: [(ConsentPurpose, Consent)],
        in privacy: inout CurrentDecisions,
        _ value: (CurrentDecisions) -> Value = { _ in }
    ) -> [Value] {
        calls.enumerated().map { index, call in
            privacy.record(PrivacyDecision(number: UInt64(index + 1), kind: .consent(call.0, call.1)))
            return value(privacy)
        }
    }
}
