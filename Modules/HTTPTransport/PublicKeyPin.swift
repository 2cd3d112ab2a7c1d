import Foundation

/// The SHA-256 of a receiver's public key, which a transport can be told to insist on.
public struct PublicKeyPin: Sendable, Hashable {
    /// The digest of the key's SubjectPublicKeyInfo in DER, in Base64.
    public let base64: String

    /// Creates a pin from a digest in Base64, or says that it is none.
    ///
    /// `openssl x509 -in certificate.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256
    /// -binary | base64` prints it.
    public init(sha256 base64: String) throws(ConfigurationError) {
        guard let digest = Data(base64Encoded: base64), digest.count == 32 else {
            throw .invalidValue(field: "a public key's pin", expected: "the Base64 of 32 bytes")
        }
        self.base64 = base64
    }
}
