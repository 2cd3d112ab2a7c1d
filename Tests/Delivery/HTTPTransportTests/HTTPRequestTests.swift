import HTTPTransport
import Testing

@Suite struct HTTPRequestTests {
    @Test(arguments: ["X-Key", "a", "!#$%&'*+-.^_`|~09"])
    func `a name is a token, and a value is any text without control characters`(name: String) throws {
        let header = try HTTPHeader(name, "a \t\"é\"")

        #expect(header.name == name)
        #expect(header.value == "a \t\"é\"")
    }

    @Test(arguments: ["", "a b", "a:b", "é", "a\r\nb", "a\0"])
    func `any other name is rejected`(name: String) {
        #expect(throws: ConfigurationError.invalidHeaderName) { try HTTPHeader(name, "v") }
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\n", "\0", "\u{7F}"])
    func `a value that could end the header is rejected and not part of the error`(value: String) {
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-Key")) { try HTTPHeader("X-Key", value) }
    }

    @Test func `the description does not contain the value`() throws {
        #expect("\(try HTTPHeader("Authorization", "secret"))" == "Authorization: ‹redacted›")
    }

    @Test func `a dump and a mirror do not contain the value`() throws {
        let header = try HTTPHeader("Authorization", "canary-secret")
        var dumped = ""

        dump(header, to: &dumped)
        dump([header], to: &dumped)

        #expect(!dumped.contains("canary"))
        #expect(!String(reflecting: header).contains("canary"))
        #expect(Mirror(reflecting: header).children.map(\.label) == ["name"])
    }
}
