import CoreTracker
import Testing

@testable import EventDelivery

@Suite struct SensitiveValueRedactorTests {
    private let parameters = EventParameters.sensitive(Sensitive("ali@example.com"), as: "mail", policy: .hash)

    // The value was computed with another implementation.
    @Test func `a hash is HMAC-SHA-256 under the app's salt`() {
        let redactor = SensitiveValueRedactor(salt: Secret("pepper"))

        let redacted = redactor.apply(to: parameters, for: .analytics) { _ in }

        #expect(redacted == ["mail": "13e29c8b9522d4d3121d604afeeeff7667ab46f017a04788d1622e248be295d4"])
    }

    @Test(arguments: [nil, Secret("")])
    func `without a salt nothing is hashed, and that is reported`(salt: Secret?) {
        var rules: [String] = []

        let redacted = SensitiveValueRedactor(salt: salt).apply(to: parameters, for: .analytics) { rules.append($0) }

        #expect(redacted.isEmpty)
        #expect(rules == ["sensitive_salt_missing"])
    }

    @Test func `parameters without a sensitive value stay as they are`() {
        #expect(SensitiveValueRedactor(salt: nil).apply(to: ["a": 1], for: .analytics) { _ in } == ["a": 1])
    }
}
