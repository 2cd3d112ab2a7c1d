import Testing

@testable import EventDelivery

@Suite struct NameRuleTests {
    @Test(arguments: [("über", true), ("u\u{308}ber", true), ("überall", true), ("ab", false), ("überdies", false)])
    func `reserved names of any alphabet are found`(name: String, isReserved: Bool) {
        let rule = NameRule(
            maximumLength: 40,
            alphabet: .anyExceptControlCharacters,
            reserved: ["über", "überall"],
            reservedPrefixes: ["éx"]
        )

        #expect(rule.fault(in: name) == (isReserved ? .reserved : nil))
    }

    @Test func `names that are reserved later are found`() {
        var rule = NameRule(maximumLength: 40, alphabet: .asciiLettersDigitsUnderscores)

        rule.reserved = ["error"]
        rule.reservedPrefixes = ["ga_"]

        #expect(rule.fault(in: "error") == .reserved)
        #expect(rule.fault(in: "ga_x") == .reserved)
        #expect(rule.fault(in: "errors") == nil)
    }
}
