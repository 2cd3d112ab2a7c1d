import CoreTracker
import Testing

@testable import EventDelivery

@Suite struct DisclosureTests {
    private let parameters = EventParameters.sensitive(Sensitive("ali@example.com"), as: "mail", .hash)

    // The value was computed with another implementation.
    @Test func `a hash is HMAC-SHA-256 under the app's salt`() {
        let disclosure = Disclosure(salt: Secret("pepper"))

        let disclosed = disclosure.apply(to: parameters, for: .analytics) { _ in }

        #expect(disclosed == ["mail": "13e29c8b9522d4d3121d604afeeeff7667ab46f017a04788d1622e248be295d4"])
    }

    @Test(arguments: [nil, Secret("")])
    func `without a salt nothing is hashed, and that is reported`(salt: Secret?) {
        var rules: [String] = []

        let disclosed = Disclosure(salt: salt).apply(to: parameters, for: .analytics) { rules.append($0) }

        #expect(disclosed.isEmpty)
        #expect(rules == ["sensitive_salt_missing"])
    }

    @Test func `parameters without a sensitive value stay as they are`() {
        #expect(Disclosure(salt: nil).apply(to: ["a": 1], for: .analytics) { _ in } == ["a": 1])
    }
}
