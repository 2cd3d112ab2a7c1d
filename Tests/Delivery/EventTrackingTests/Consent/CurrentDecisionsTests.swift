import CoreTracker
import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct CurrentDecisionsTests {
    private let ads = ConsentPurpose("ads")

    @Test func `a purpose without a decision has the default`() {
        var privacy = CurrentDecisions()
        #expect(privacy.consent(for: ads) == .unknown)

        privacy.accept([.analytics: .denied], fallback: .granted, through: 0, isStored: true, erasing: 0)

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

        privacy.accept(
            [ads: .granted, .analytics: .denied],
            fallback: .unknown,
            through: 2,
            isStored: true,
            erasing: 0
        )

        #expect(privacy.unstored.map(\.number) == [3])
        #expect(privacy.consents == [ads: .unknown, .analytics: .denied])
    }
}

/// Tests of decisions that the store has applied.
extension CurrentDecisionsTests {
    @Test(arguments: [Consent.denied, .unknown, .granted])
    func `a decision that the disk refuses is in effect, and stays until it is in the file`(refused: Consent) {
        var privacy = CurrentDecisions()
        record([(ads, refused)], in: &privacy)

        privacy.accept([ads: refused], fallback: .unknown, through: 1, isStored: false, erasing: 0)

        #expect(privacy.consent(for: ads) == refused)
        #expect(privacy.unapplied.isEmpty && privacy.unstored.map(\.consent) == [refused])
        privacy.forgetStored()
        #expect(privacy.consent(for: ads) == refused)
        #expect(privacy.unstored.isEmpty)
    }

    @Test func `pending erasures count towards the limit of erasures`() {
        var privacy = CurrentDecisions()
        #expect(privacy.isAcceptable(.erasure(nil)))

        privacy.accept([:], fallback: .unknown, through: 0, isStored: true, erasing: CurrentDecisions.maximum)

        #expect(!privacy.isAcceptable(.erasure(nil)))
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
