#if !canImport(Darwin)
public import Foundation

/// Whom a transport over libcurl trusts, and by which way it goes.
public struct CurlConfiguration: Sendable, Hashable {
    /// A PEM file of the authorities that are trusted instead of the system's; `nil` for the system's.
    ///
    /// A file that cannot be read makes every receiver untrusted.
    public var authorities: URL?
    /// The public keys of which a receiver must have one; all are accepted when there is none.
    ///
    /// A pin adds to the check of the certificate and replaces no part of it. Name the next key before the receiver
    /// changes to it: the old and the new one are accepted until the old one is taken out.
    public var pinnedKeys: [PublicKeyPin]
    /// The proxy that all requests go through; `nil` for none.
    ///
    /// Proxies that the environment names are ignored.
    public var proxy: URL?

    /// Creates a configuration.
    public init(authorities: URL? = nil, pinnedKeys: [PublicKeyPin] = [], proxy: URL? = nil) {
        self.authorities = authorities
        self.pinnedKeys = pinnedKeys
        self.proxy = proxy
    }
}
#endif
