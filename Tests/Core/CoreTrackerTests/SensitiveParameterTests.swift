import CoreTracker
import Testing

@Suite struct SensitiveParameterTests {
    @Test func `a fingerprint depends on the value and the policy, and does not reveal the value`() throws {
        let parameters = try [
            parameter("ali@example.com", .hash), parameter("veli@example.com", .hash),
            parameter("ali@example.com", .pass(.marketing)),
        ]

        #expect(Set(parameters.map(\.fingerprint)).count == 3)
        #expect(parameters.allSatisfy { !$0.fingerprint.contains("ali") })
        #expect(try parameter("ali", .drop).fingerprint == parameter("ali", .drop).fingerprint)
    }

    @Test func `its text has the key and does not reveal the value`() throws {
        let parameter = try parameter("ali@example.com", .hash)

        #expect("\(parameter)" == "mail: ‹redacted›")
        #expect(String(reflecting: parameter) == "mail: ‹redacted›")
        #expect(Mirror(reflecting: parameter).children.isEmpty)
    }

    @Test func `a list has no hash, and is passed unchanged`() throws {
        struct Names: ParameterRepresentable {
            var parameterValue: ParameterValue { ["Ali", "Veli"] }
        }
        let hashed = EventParameters.sensitive(Sensitive(Names()), as: "names", .hash)
        let passed = EventParameters.sensitive(Sensitive(Names()), as: "names", .pass(.analytics))

        #expect(hashed.redacted(for: "analytics") { $0 } == [:])
        #expect(passed.redacted(for: "analytics") { $0 } == ["names": ["Ali", "Veli"]])
    }

    private func parameter(_ value: String, _ policy: SensitivePolicy) throws -> SensitiveParameter {
        try #require(EventParameters.sensitive(Sensitive(value), as: "mail", policy).sensitive.first)
    }
}
