/// An installation's id of your own, such as the anonymous id of the SDK that this library replaces.
///
/// ```swift
/// configuration.installation = try InstallationID("8b5cf1f6-6a4e-4d0c-9a5e-2f1d7c3b9e10")
/// ```
public struct InstallationID: Sendable, Hashable {
    package let text: String

    /// Creates an id, which the services get unchanged unless they require another form.
    ///
    /// - Parameter text: 10 to 200 visible ASCII characters, at least four of them different.
    /// - Throws: ``InstallationIDError`` for any other text. It can be neither a word such as `unknown` nor an id of
    ///   zeros, which several installations have.
    public init(_ text: String) throws(InstallationIDError) {
        let bytes = text.utf8
        guard (10...200).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), Set(bytes).count >= 4
        else { throw InstallationIDError() }
        self.text = text
    }
}

/// An error of a text that cannot be an installation's id.
public struct InstallationIDError: Error, Equatable, CustomStringConvertible {
    public var description: String {
        "an installation's id needs 10 to 200 visible ASCII characters, at least four of them different"
    }
}
