import HTTPTransport
import Testing

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
