import HTTPTransport
import Testing

@Suite struct ConfigurationErrorTests {
    @Test func `each error has a one-line description`() {
        let errors: [ConfigurationError] = [
            .invalidURL, .insecureURL(host: "h"), .credentialsInURL(host: "h"), .fragmentInURL(host: "h"),
            .invalidHeaderName, .invalidHeaderValue(name: "n"), .invalidValue(field: "f", expected: "e"),
        ]

        let texts = errors.map(\.description)

        #expect(Set(texts).count == errors.count)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
        #expect("\(ConfigurationError.invalidValue(field: "apiKey", expected: "short"))" == "apiKey must be short")
    }
}
