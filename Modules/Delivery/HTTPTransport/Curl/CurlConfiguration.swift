#if !canImport(Darwin)
public import FoundationEssentials

/// Trust and proxy settings for ``CurlTransport``.
public struct CurlConfiguration: Sendable, Equatable, CustomReflectable {
    /// A PEM file of certificate authorities that replace the system's, or `nil` to use the system's.
    ///
    /// The file may change while the transport exists: it is read again within a minute, and at once if a receiver is
    /// untrusted. If it cannot be read, no connection is opened.
    public var authorities: URL?
    /// The public keys of which a receiver must have one.
    ///
    /// If the array is empty, all keys are accepted.
    ///
    /// A pin is checked in addition to the certificate. Add the next key before the receiver changes to it: both keys
    /// are accepted until the old one is removed.
    public var pinnedKeys: [PublicKeyPin]
    /// The proxy for all requests, or `nil` to use none.
    ///
    /// Proxies of the environment are ignored.
    public var proxy: URL?
    /// The receivers that are reached without the proxy, in the form of `NO_PROXY`.
    ///
    /// Host names, domains, addresses and CIDR networks are separated by commas or spaces, and `*` is every receiver.
    public var proxyExceptions = ""
    /// A PEM file with the client's certificate and its chain, or `nil` to send none.
    ///
    /// It is read for each new connection, so within a minute after a change.
    public var clientCertificate: URL?
    /// A PEM file with the private key of ``clientCertificate``, without a passphrase.
    ///
    /// If it is `nil`, the key is in the file of the certificate.
    public var clientKey: URL?
    /// The maximum time without a byte in either direction, in seconds.
    var idleSeconds = ResponseLimits.idleSeconds

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - authorities: A PEM file of certificate authorities that replace the system's.
    ///   - pinnedKeys: The public keys of which a receiver must have one.
    ///   - proxy: The proxy for all requests.
    public init(authorities: URL? = nil, pinnedKeys: [PublicKeyPin] = [], proxy: URL? = nil) {
        (self.authorities, self.pinnedKeys, self.proxy) = (authorities, pinnedKeys, proxy)
    }

    /// Returns the host and the port of the proxy with a separator between them.
    func proxy(_ separator: String) -> String? {
        proxy.map { "\($0.host() ?? "")\(separator)\($0.port ?? ($0.scheme == "https" ? 443 : 1080))" }
    }

    /// Returns whether libcurl's message about a failure names the proxy.
    ///
    /// If the proxy cannot be reached, older releases such as 7.88 name its host and port. Newer releases name the
    /// receiver's host and port, and then the proxy's host. Messages about a tunnel contain its method, `CONNECT`.
    ///
    /// - Parameter message: The message.
    func isProxyNamed(in message: String) -> Bool {
        guard let host = proxy?.host(), let place = proxy(" port ") else { return false }
        return ["CONNECT", place, " via \(host) "].contains { message.contains($0) }
    }

    /// A mirror without the proxy's credentials.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": proxy(":") as Any]) }
}
#endif
