package import CoreTracker

/// Applies the policies of sensitive values for one service, before anything of an event is kept or sent.
package struct Disclosure {
    /// What counts as a repair where a value should be hashed and the app has given no salt.
    static let saltMissing = "sensitive_salt_missing"

    private let salt: [UInt8]?

    /// Creates the disclosure of an app; without a salt nothing is hashed, and what should be is left out.
    package init(salt: Secret?) {
        self.salt = salt.flatMap { $0.value.isEmpty ? nil : Array($0.value.utf8) }
    }

    /// Returns parameters as a destination of a purpose gets them.
    package func apply(
        to parameters: EventParameters,
        for purpose: ConsentPurpose,
        report: (_ rule: String) -> Void
    ) -> EventParameters {
        guard parameters.hasSensitive else { return parameters }
        return parameters.disclosed(for: purpose.name) { text in
            guard let salt else {
                report(Disclosure.saltMissing)
                return nil
            }
            return Disclosure.hexadecimal(SHA256.authenticationCode(of: Array(text.utf8), key: salt))
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
