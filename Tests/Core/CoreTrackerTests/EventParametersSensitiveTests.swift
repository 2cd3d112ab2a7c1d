import CoreTracker
import Testing

@Suite struct EventParametersSensitiveTests {
    private let mail = Sensitive("ali@example.com")

    @Test func `a sensitive value is not an element until its policy is applied`() {
        let parameters = EventParameters.sensitive(mail, as: "mail", .pass(.analytics)).merging(["method": "mail"])

        #expect(parameters.map(\.key) == ["method"])
        #expect(parameters["mail"] == nil)
        #expect(parameters.hasSensitive)
    }

    @Test(
        arguments: [
            (SensitivePolicy.drop, nil), (.hash, "#15"), (.pass(.analytics), "ali@example.com"),
            (.pass(.marketing), nil),
        ] as [(SensitivePolicy, ParameterValue?)]
    )
    func `a service receives the value that the policy allows`(policy: SensitivePolicy, value: ParameterValue?) {
        let parameters = EventParameters.sensitive(mail, as: "mail", policy)

        let redacted = parameters.redacted(for: "analytics") { "#\($0.count)" }

        #expect(redacted["mail"] == value)
        #expect(!redacted.hasSensitive)
    }

    @Test func `a value to be hashed is left out if there is no hash`() {
        let parameters = EventParameters.sensitive(mail, as: "mail", .hash).merging(["method": "mail"])

        #expect(parameters.redacted(for: "analytics") { _ in nil } == ["method": "mail"])
    }

    @Test func `of two equal keys the later one is kept, sensitive or not`() {
        let sensitive = EventParameters.sensitive(mail, as: "mail", .pass(.analytics))
        let open: EventParameters = ["mail": "none"]
        var assigned = sensitive
        assigned["mail"] = "none"
        var removed = sensitive
        removed["mail"] = nil

        #expect(sensitive.merging(open) == open)
        #expect(open.merging(sensitive) == sensitive)
        #expect(assigned == open)
        #expect(removed == [:])
        #expect(sensitive.merging(.sensitive(mail, as: "mail", .drop)) == .sensitive(mail, as: "mail", .drop))
    }

    @Test func `numbers and Booleans are passed with their type, and hashed as text`() {
        let parameters = [Sensitive(7)].reduce(
            EventParameters.sensitive(Sensitive(true), as: "adult", .pass(.analytics))
        ) {
            $0.merging(.sensitive($1, as: "age", .pass(.analytics))).merging(
                .sensitive(Sensitive(1.5), as: "size", .hash)
            )
        }

        let redacted = parameters.redacted(for: "analytics") { $0 }

        #expect(redacted == ["adult": true, "age": 7, "size": "1.5"])
    }

    @Test(
        arguments: [
            (SensitivePolicy.drop, nil), (.hash, "#15"), (.pass(.analytics), "ali@example.com"),
            (.pass(.marketing), nil),
        ] as [(SensitivePolicy, ParameterValue?)]
    )
    func `the policy applies in a nested object, in a list and in a sensitive object`(
        policy: SensitivePolicy,
        value: ParameterValue?
    ) {
        var redacted = EventParameters()
        redacted["mail"] = value
        let inner = EventParameters.sensitive(mail, as: "mail", policy)
        let parameters = (["object": .object(inner), "list": [[.object(inner)], "x"]] as EventParameters)
            .merging(.sensitive(Sensitive(inner), as: "passed", .pass(.analytics)))

        let result = parameters.redacted(for: "analytics") { "#\($0.count)" }

        #expect(parameters.hasSensitive)
        #expect(
            result == [
                "object": .object(redacted), "list": [[.object(redacted)], "x"], "passed": .object(redacted),
            ]
        )
        #expect(!result.hasSensitive)
    }

    @Test func `removing and merging parameters keeps track of sensitive values`() {
        let inner: EventParameters = ["o": .object(.sensitive(mail, as: "mail", .hash)), "n": 1]
        var removed = inner
        removed["o"] = nil

        #expect(inner.merging(["n": 2]).hasSensitive)
        #expect((["n": 2] as EventParameters).merging(inner).hasSensitive)
        #expect(!inner.merging(["o": 3]).hasSensitive)
        #expect(!removed.hasSensitive)
    }
}
