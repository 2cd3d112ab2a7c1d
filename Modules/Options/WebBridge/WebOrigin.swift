/// An origin of a page (RFC 6454): scheme, host and port, in lower case and without the scheme's usual port.
struct WebOrigin: Sendable, Hashable {
    /// The maximum size of an origin in bytes: a host has at most 255.
    private static let maximumBytes = 512
    private static let usualPorts: [String: UInt16] = ["http": 80, "https": 443]

    private let scheme: String
    private let host: String
    private let port: UInt16?

    /// Reads an origin.
    ///
    /// Returns `nil` for any other text, such as `null`, which browsers use for a page without an origin. A host must
    /// be in its ASCII form, as browsers report it.
    init?(_ text: String) {
        guard text.utf8.count <= WebOrigin.maximumBytes, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.lowercased().split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isLetter else { return nil }
        let (scheme, rest) = (String(parts[0]), parts[1])
        // The last colon begins a port, unless it is inside an IPv6 address.
        let colon = rest.lastIndex(of: ":").flatMap { rest[$0...].contains("]") ? nil : $0 }
        let host = String(rest[..<(colon ?? rest.endIndex)])
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
        let name = isAddress ? host.dropFirst().dropLast() : host[...]
        let punctuation = isAddress ? ":." : ".-_"
        guard scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+.-".contains($0) }), !name.isEmpty,
            name.allSatisfy({ $0.isLetter || $0.isNumber || punctuation.contains($0) })
        else { return nil }
        var port: UInt16?
        if let digits = colon.map({ rest[$0...].dropFirst() }) {
            guard digits.allSatisfy(\.isNumber), let number = UInt16(digits) else { return nil }
            port = number == WebOrigin.usualPorts[scheme] ? nil : number
        }
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }
}
