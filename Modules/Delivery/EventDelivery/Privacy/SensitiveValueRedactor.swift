package import CoreTracker
import EventTracking

/// A redactor of sensitive values, which applies their policies before any data of an event is stored or sent.
package struct SensitiveValueRedactor {
    /// The rule to report if a value should be hashed and the app has configured no salt.
    static let saltMissing = "sensitive_salt_missing"

    private let salt: [UInt8]?

    /// Creates the redactor of an app.
    ///
    /// - Parameter salt: The key for hashes. Without it, values that should be hashed are left out.
    package init(salt: Secret?) {
        self.salt = salt.flatMap { $0.value.isEmpty ? nil : Array($0.value.utf8) }
    }

    /// Replaces or removes sensitive values of parameters.
    ///
    /// - Parameters:
    ///   - parameters: The parameters as they were tracked.
    ///   - purpose: The purpose of the destination.
    ///   - report: Receives the rule of each adjustment.
    /// - Returns: The parameters as the destination gets them.
    package func apply(
        to parameters: EventParameters,
        for purpose: ConsentPurpose,
        report: (_ rule: String) -> Void
    ) -> EventParameters {
        guard parameters.hasSensitive else { return parameters }
        return parameters.redacted(for: purpose.name) { hash($0, report) }
    }

    /// Returns the signed-in user's id as a destination gets it, or `nil` if it gets none.
    func user(of identity: Identity, for purpose: ConsentPurpose, report: (_ rule: String) -> Void) -> String? {
        guard let user = identity.sensitiveUser else { return identity.userID }
        return user.redacted(for: purpose.name) { hash($0, report) }?.text
    }

    private func hash(_ text: String, _ report: (_ rule: String) -> Void) -> String? {
        guard let salt else {
            report(SensitiveValueRedactor.saltMissing)
            return nil
        }
        return SensitiveValueRedactor.hexadecimal(SHA256.authenticationCode(of: Array(text.utf8), key: salt))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
