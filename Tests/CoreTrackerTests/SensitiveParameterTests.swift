import CoreTracker
import Testing

@Suite struct SensitiveParameterTests {
    @Test func `a fingerprint tells keys of other values and policies apart, and shows nothing of the value`() throws {
        let parameters = try [
            parameter("ali@example.com", .hash), parameter("veli@example.com", .hash),
            parameter("ali@example.com", .pass(.marketing)),
        ]

        #expect(Set(parameters.map(\.fingerprint)).count == 3)
        #expect(parameters.allSatisfy { !$0.fingerprint.contains("ali") })
        #expect(try parameter("ali", .drop).fingerprint == parameter("ali", .drop).fingerprint)
    }

    @Test func `it shows its key and nothing of its value`() throws {
        let parameter = try parameter("ali@example.com", .hash)

        #expect("\(parameter)" == "mail: ‹redacted›")
        #expect(String(reflecting: parameter) == "mail: ‹redacted›")
        #expect(Mirror(reflecting: parameter).children.isEmpty)
    }

    @Test func `what is no single value has no hash, and passes as it is`() throws {
        struct Names: ParameterRepresentable {
            var parameterValue: ParameterValue { ["Ali", "Veli"] }
        }
        let hashed = EventParameters.sensitive(Sensitive(Names()), as: "names", .hash)
        let passed = EventParameters.sensitive(Sensitive(Names()), as: "names", .pass(.analytics))

        #expect(hashed.disclosed(for: "analytics") { $0 } == [:])
        #expect(passed.disclosed(for: "analytics") { $0 } == ["names": ["Ali", "Veli"]])
    }

    private func parameter(_ value: String, _ policy: SensitivePolicy) throws -> SensitiveParameter {
        try #require(EventParameters.sensitive(Sensitive(value), as: "mail", policy).sensitive.first)
    }
}
