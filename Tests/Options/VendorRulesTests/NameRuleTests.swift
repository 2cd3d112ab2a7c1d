import Testing
import VendorRules

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

    @Test(arguments: [
        ("$x", true), ("$\u{301}x", true), ("$\u{FE0F}", true), ("$", true), ("\u{301}$", false), ("x$", false),
    ])
    func `a prefix is found by its bytes, as a receiver finds it`(name: String, isReserved: Bool) {
        let rule = NameRule(maximumLength: 40, alphabet: .anyExceptControlCharacters, reservedPrefixes: ["$"])

        #expect(rule.fault(in: name) == (isReserved ? .reserved : nil))
    }

    @Test(arguments: [
        ("n", 8, true), ("n", 9, false), ("é", 4, true), ("é", 5, false), ("👍", 2, true), ("👍", 3, false),
    ])
    func `a maximum in bytes holds besides the one in characters`(text: String, count: Int, isTaken: Bool) {
        let rule = NameRule(maximumLength: 40, maximumBytes: 8, alphabet: .anyExceptControlCharacters)

        #expect(rule.fault(in: String(repeating: text, count: count)) == (isTaken ? nil : .tooLong))
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
