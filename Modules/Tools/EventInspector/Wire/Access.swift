import LoopbackCollector

/// The access rules: requests must name this host, pages need the token, and commands also need the page's origin.
struct Access: Sendable {
    /// Whether other machines can send requests.
    ///
    /// If they can, every request needs the token.
    let isOnNetwork: Bool
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: String
    private let cookie: String

    /// Creates the rules for a port of the loopback address or of a local network address.
    init(port: UInt16, networkAddress: String? = nil, token: String) {
        isOnNetwork = networkAddress != nil
        let address = networkAddress.map { $0.contains(":") ? "[\($0.lowercased())]" : $0 }
        let names = address.map { [$0] } ?? ["127.0.0.1", "localhost"]
        hosts = Set(names.map { "\($0):\(port)" })
        origins = Set(hosts.map { "http://" + $0 })
        self.token = token
        // All ports of a host share cookies, so each inspector uses a different name.
        cookie = "inspector-\(port)"
    }

    /// Returns the rejection of a request that names another host or comes from a foreign page, or `nil` if it is
    /// allowed.
    ///
    /// The check of the host prevents DNS rebinding.
    func rejection(of head: CollectedHead) -> CollectorResponse? {
        guard hosts.contains(head.headers["host"]?.lowercased() ?? "") else {
            let name = isOnNetwork ? "the address in its link" : "127.0.0.1"
            return CollectorResponse(421, text: "The inspector accepts only requests to \(name).\n")
        }
        if let origin = head.headers["origin"], !origins.contains(origin.lowercased()) {
            return CollectorResponse(403, text: "A page of another origin has no access.\n")
        }
        return nil
    }

    /// Returns whether a request contains the token, either in the page's cookie or in a sender's header.
    func admits(_ head: CollectedHead) -> Bool {
        if let bearer = head.headers["authorization"] { return isSame(bearer, "Bearer \(token)") }
        let cookies = (head.headers["cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return cookies.contains { isSame($0, "\(cookie)=\(token)") }
    }

    /// Returns whether a request names the page's origin, which every command must.
    ///
    /// All ports of a host share cookies, and browsers include them in requests from pages of other ports. Those
    /// requests name no origin if their method is GET or HEAD.
    func isOfOwnOrigin(_ head: CollectedHead) -> Bool {
        head.headers["origin"].map { origins.contains($0.lowercased()) } ?? false
    }

    /// Exchanges the token of a link for the page's cookie, to remove the token from the address bar.
    ///
    /// - Returns: The redirect, or `nil` if the token is wrong.
    func welcome(_ head: CollectedHead) -> CollectorResponse? {
        guard let offered = head.query["token"], isSame(offered, token) else { return nil }
        let value = "\(cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
        return CollectorResponse(303, headers: [.init("Location", "/"), .init("Set-Cookie", value)])
    }

    /// Compares texts in constant time, so the duration does not reveal the position of a difference.
    private func isSame(_ left: some StringProtocol, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
