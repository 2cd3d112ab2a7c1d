import CoreTracker
import Testing

@Suite struct SensitiveTests {
    /// A parameter type that an app declares.
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
        let event = SignedUp(mail: mail, parameters: .sensitive(mail, as: "mail", .pass(.marketing)))
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

    @Test func `an empty value occurs nowhere`() {
        #expect(!Sensitive("").occurs(in: "text"))
    }
}
