import Foundation
import HTTPTransport
import Testing

@Suite struct ConfigurationErrorTests {
    @Test func `each error has a one-line description`() {
        let errors: [ConfigurationError] = [
            .invalidURL("h"), .insecureURL(host: "h"), .credentialsInURL(host: "h"), .fragmentInURL(host: "h"),
            .invalidHeaderName, .invalidHeaderValue(name: "n"), .invalidValue(field: "f", expected: "e"),
        ]

        let texts = errors.map(\.description)

        #expect(Set(texts).count == errors.count)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
        #expect("\(ConfigurationError.invalidValue(field: "apiKey", expected: "short"))" == "apiKey must be short")
    }
}

@Suite struct PublicKeyPinTests {
    @Test func `a digest of 32 bytes is a pin`() throws {
        let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

        #expect(try PublicKeyPin(sha256: digest).base64 == digest)
    }

    @Test(arguments: [
        "", "abc", "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "AAAA",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    ]) func `any other text is rejected`(text: String) {
        #expect(throws: ConfigurationError.self) { try PublicKeyPin(sha256: text) }
    }
}

@Suite struct EndpointTests {
    @Test(arguments: [
        ("", ""), ("collector.example/in", "collector.example…"), ("localhost", "localhost"), ("h\nx", "h…"),
        ("htps://h.example/in?key=secret", "htps://h.example…"), ("https:///in", "https://…"),
        ("https://user:pa/secret@h example", "https://‹redacted›@h…"), ("hé.example", "h\\u{00E9}.example"),
        ("user:secret@h.example", "‹redacted›@h.example"),
        ("https://user:secret@\u{301}h.example/x", "https://‹redacted›@\\u{0301}h.example…"),
        ("https://h.example?\u{301}key=secret", "https://h.example…"),
        ("https://h.example/é?mail=a@b.example", "https://‹redacted›@b.example"),
        ("0123456789abcdef0123456789abcdef", "‹redacted›"), ("apiKey=0123456789abcdef", "apiKey…"),
    ]) func `a text that is no URL is quoted without a part that can be secret`(text: String, quote: String) {
        #expect(throws: ConfigurationError.invalidURL(quote)) { try Endpoint(text) }
        let end = #": "\#(quote)""#
        #expect(ConfigurationError.invalidURL(quote).description.hasSuffix(end))
    }

    @Test func `added query items are percent-encoded, plus signs and separators too`() throws {
        let endpoint = try Endpoint("https://h.example/in?v=1%2B1")

        let url = endpoint.url(adding: [
            URLQueryItem(name: "key", value: "a+b&c=d e/é?"), URLQueryItem(name: "id", value: "1:2:ios:f"),
            URLQueryItem(name: "flag", value: nil),
        ])

        #expect(
            url.absoluteString
                == "https://h.example/in?v=1%2B1&key=a%2Bb%26c%3Dd%20e%2F%C3%A9%3F&id=1:2:ios:f&flag"
        )
    }

    @Test(arguments: ["https://h.example/in", "https://h.example/in?", "https://h.example"])
    func `without items, the address does not change`(address: String) throws {
        let url = try Endpoint(address).url(adding: [])

        #expect(url.absoluteString == address)
    }

    @Test(arguments: [
        ("https://h.example", "https://h.example/mp"), ("https://h.example/", "https://h.example/mp"),
        ("https://h.example?a=1", "https://h.example/mp?a=1"), ("https://h.example/own", "https://h.example/own"),
    ])
    func `an address without a path gets the vendor's path`(address: String, completed: String) throws {
        let endpoint = try Endpoint(address).replacingEmptyPath(with: "/mp")

        #expect(endpoint.url.absoluteString == completed)
    }

    @Test(arguments: [
        ("https://h.example", "in/v1", "https://h.example/in/v1"),
        ("https://h.example/a/?k=1", "b c", "https://h.example/a/b%20c?k=1"),
    ])
    func `a path is appended to the address`(address: String, path: String, completed: String) throws {
        #expect(try Endpoint(address).appending(path: path).url.absoluteString == completed)
    }

    @Test func `the names in the query of an address are decoded`() throws {
        #expect(try Endpoint("https://h.example/?a=1&user=x&pass%77ord=y").queryNames == ["a", "user", "password"])
        #expect(try Endpoint("https://h.example/").queryNames.isEmpty)
    }

    @Test(arguments: [
        "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::0:1]", "[0::1]", "localhost",
        "LOCALHOST", "127.0.0.1", "127.255.0.9", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
        "[0:0:0:0:0:FFFF:7f01:203]",
    ])
    func `each spelling of a loopback address is accepted without TLS`(host: String) throws {
        #expect(try Endpoint("http://\(host):8123/x").url.absoluteString == "http://\(host):8123/x")
    }

    @Test func `the name of this machine loses the dot at its end`() throws {
        #expect(try Endpoint("http://LocalHost.:8123/x").url.absoluteString == "http://localhost:8123/x")
    }

    @Test(arguments: [
        "[::2]", "[::]", "[1::1]", "[0:0:0:0:0:0:1:0]", "[fe80::1]", "[::ffff:8.8.8.8]", "[::ffff:808:808]",
        "128.0.0.1", "127.0.0.01", "0127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1",
        "127.0.0.1.example",
        "localhost.example",
    ])
    func `any other host needs TLS`(host: String) {
        #expect(throws: ConfigurationError.self) { try Endpoint("http://\(host)/x") }
    }

    @Test(arguments: [0, 1, 443, 65_535]) func `a port of 16 bits is accepted`(port: Int) throws {
        #expect(try Endpoint("https://h.example:\(port)").url.port == port)
    }

    @Test(arguments: ["65536", "99999", "99999999999999999999", "-1"]) func `any other port is refused`(
        port: String
    ) {
        #expect(throws: ConfigurationError.self) { try Endpoint("https://h.example:\(port)") }
    }

    @Test func `descriptions and dumps contain neither path nor query`() throws {
        let endpoint = try Endpoint("https://h.example/receiver/path-secret?key=query-secret")
        var dumped = ""
        dump(endpoint, to: &dumped)

        #expect("\(endpoint)" == "https://h.example")
        #expect("\(try Endpoint("http://[::1]:8123/x"))" == "http://[::1]:8123")
        #expect(dumped.contains("https://h.example"))
        #expect(!dumped.contains("secret"))
    }
}

@Suite struct RequestOptionsTests {
    @Test func `no description of further headers contains their values`() throws {
        let options = try RequestOptions(headers: ["X-Tenant": "s3cret"])
        var dumped = ""
        dump(options, to: &dumped)

        #expect(options.headers.map(\.value) == ["s3cret"])
        #expect("\(options)".contains("X-Tenant"))
        #expect(!"\(options) \(String(reflecting: options)) \(dumped)".contains("s3cret"))
    }

    @Test(arguments: ["Content-Encoding", "content-type", "Host", "Accept-Encoding", "TE"])
    func `a header that the transport or the wire format sets is refused`(name: String) {
        #expect(
            throws: ConfigurationError.invalidValue(field: "headers", expected: "without \(name), or name it only once")
        ) {
            try RequestOptions(headers: [name: "x"])
        }
    }

    @Test func `headers that occur twice or are not valid are refused`() {
        #expect(throws: ConfigurationError.self) { try RequestOptions(headers: ["X-A": "1", "x-a": "2"]) }
        #expect(throws: ConfigurationError.invalidHeaderName) { try RequestOptions(headers: ["X A": "1"]) }
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-A")) {
            try RequestOptions(headers: ["X-A": "1\r\nX-B: 2"])
        }
    }
}
