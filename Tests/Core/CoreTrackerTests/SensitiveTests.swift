import CoreTracker
import Testing

@Suite struct SensitiveTests {
    /// A parameter type declared by an app.
    struct Mail: ParameterRepresentable, Hashable {
        let address: String
        var parameterValue: ParameterValue { .string(address) }
    }

    private let mail = Sensitive(Mail(address: "ali@example.com"))

    @Test func `printing, interpolating, dumping and reflecting it do not reveal its value`() {
        struct SignedUp {
            let mail: Sensitive<Mail>
            let parameters: EventParameters
        }
        let event = SignedUp(mail: mail, parameters: .sensitive(mail, as: "mail", policy: .pass(.marketing)))
        var dumped = ""

        dump(event, to: &dumped)

        let texts = ["\(mail)", String(reflecting: mail), "\(event)", String(reflecting: event), dumped]
        #expect(texts.allSatisfy { !$0.contains("ali") && $0.contains("redacted") })
        #expect(Mirror(reflecting: mail).children.isEmpty)
    }

    @Test func `it is equal only to another one with an equal value`() {
        #expect(mail == Sensitive(Mail(address: "ali@example.com")))
        #expect(mail != Sensitive(Mail(address: "veli@example.com")))
    }

    @Test(arguments: [("to ali@example.com now", true), ("to veli@example.com", false), ("", false)])
    func `a test can check whether a text contains it`(text: String, occurs: Bool) {
        #expect(mail.occurs(in: text) == occurs)
    }

    @Test func `each element of a list or an object is found`() {
        let names: ParameterValue = ["Ali", ["name": "Veli", "floor": 7]]

        #expect(["for Ali", "Veli", "floor 7"].allSatisfy(Sensitive(names).occurs))
        #expect(!Sensitive(names).occurs(in: "name"))
    }

    @Test func `an empty value occurs nowhere`() {
        #expect(!Sensitive("").occurs(in: "text"))
    }
}

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
        let hashed = EventParameters.sensitive(Sensitive(Names()), as: "names", policy: .hash)
        let passed = EventParameters.sensitive(Sensitive(Names()), as: "names", policy: .pass(.analytics))

        #expect(hashed.redacted(for: "analytics") { $0 } == [:])
        #expect(passed.redacted(for: "analytics") { $0 } == ["names": ["Ali", "Veli"]])
    }

    private func parameter(_ value: String, _ policy: SensitivePolicy) throws -> SensitiveParameter {
        try #require(EventParameters.sensitive(Sensitive(value), as: "mail", policy: policy).sensitive.first)
    }
}

@Suite struct EventParametersSensitiveTests {
    private let mail = Sensitive("ali@example.com")

    @Test func `a sensitive value is not an element until its policy is applied`() {
        let parameters = EventParameters.sensitive(mail, as: "mail", policy: .pass(.analytics)).merging([
            "method": "mail"
        ])

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
        let parameters = EventParameters.sensitive(mail, as: "mail", policy: policy)

        let redacted = parameters.redacted(for: "analytics") { "#\($0.count)" }

        #expect(redacted["mail"] == value)
        #expect(!redacted.hasSensitive)
    }

    @Test func `a value to be hashed is left out if there is no hash`() {
        let parameters = EventParameters.sensitive(mail, as: "mail", policy: .hash).merging(["method": "mail"])

        #expect(parameters.redacted(for: "analytics") { _ in nil } == ["method": "mail"])
    }

    @Test func `of two equal keys the later one is kept, sensitive or not`() {
        let sensitive = EventParameters.sensitive(mail, as: "mail", policy: .pass(.analytics))
        let open: EventParameters = ["mail": "none"]
        var assigned = sensitive
        assigned["mail"] = "none"
        var removed = sensitive
        removed["mail"] = nil

        #expect(sensitive.merging(open) == open)
        #expect(open.merging(sensitive) == sensitive)
        #expect(assigned == open)
        #expect(removed == [:])
        #expect(
            sensitive.merging(.sensitive(mail, as: "mail", policy: .drop))
                == .sensitive(mail, as: "mail", policy: .drop)
        )
    }

    @Test func `numbers and Booleans are passed with their type, and hashed as text`() {
        let parameters = [Sensitive(7)].reduce(
            EventParameters.sensitive(Sensitive(true), as: "adult", policy: .pass(.analytics))
        ) {
            $0.merging(.sensitive($1, as: "age", policy: .pass(.analytics))).merging(
                .sensitive(Sensitive(1.5), as: "size", policy: .hash)
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
        let inner = EventParameters.sensitive(mail, as: "mail", policy: policy)
        let parameters = (["object": .object(inner), "list": [[.object(inner)], "x"]] as EventParameters)
            .merging(.sensitive(Sensitive(inner), as: "passed", policy: .pass(.analytics)))

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
        let inner: EventParameters = ["o": .object(.sensitive(mail, as: "mail", policy: .hash)), "n": 1]
        var removed = inner
        removed["o"] = nil

        #expect(inner.merging(["n": 2]).hasSensitive)
        #expect((["n": 2] as EventParameters).merging(inner).hasSensitive)
        #expect(!inner.merging(["o": 3]).hasSensitive)
        #expect(!removed.hasSensitive)
    }
}
