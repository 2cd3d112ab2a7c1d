import Testing

@testable import EventTracking

@Suite struct LaneConsentTests {
    @Test func `before the purpose is known, events are accepted`() {
        let consent = LaneConsent()

        #expect(consent.value == .granted)
        #expect(!consent.isDenied)
        #expect(consent.denial == 0)
    }

    @Test(arguments: Consent.allCases, [0, 1, 1 << 48] as [UInt64])
    func `a lane returns the decision in effect with the number of the last denial`(value: Consent, denial: UInt64) {
        let consent = LaneConsent()

        consent.set(value, denial: denial)

        #expect(consent.value == value)
        #expect(consent.isDenied == (value == .denied))
        #expect(consent.denial == denial)
    }
}
