import LoopbackCollector

/// The access rules: requests name this host, pages need the token, and commands also the page's origin.
struct Access: Sendable {
    /// Whether other machines can send requests, so that each needs the token, events included.
    let isOnNetwork: Bool
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: String
    private let cookie: String

    /// Creates the rules of a port of the loopback address, or of an address on the local network.
    init(port: UInt16, networkAddress: String? = nil, token: String) {
        isOnNetwork = networkAddress != nil
        hosts = networkAddress.map { ["\($0):\(port)"] } ?? ["127.0.0.1:\(port)", "localhost:\(port)"]
        origins = Set(hosts.map { "http://" + $0 })
        self.token = token
        // Cookies are shared by all ports of a host, so that each inspector has a name of its own.
        cookie = "inspector-\(port)"
    }

    /// The answer to a request for another host (a name that was rebound to this machine) or by a foreign page.
    func refusal(of head: CollectedHead) -> CollectorResponse? {
        guard hosts.contains(head.headers["host"]?.lowercased() ?? "") else {
            let name = isOnNetwork ? "the address in its link" : "127.0.0.1"
            return CollectorResponse(421, text: "The inspector is \(name), by this name alone.\n")
        }
        if let origin = head.headers["origin"], !origins.contains(origin.lowercased()) {
            return CollectorResponse(403, text: "A page of another origin has no access.\n")
        }
        return nil
    }

    /// Whether a request carries the token, as the page's cookie or in a sender's header.
    func admits(_ head: CollectedHead) -> Bool {
        if let bearer = head.headers["authorization"] { return isSame(bearer, "Bearer \(token)") }
        let cookies = (head.headers["cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return cookies.contains { isSame($0, "\(cookie)=\(token)") }
    }

    /// Whether a request names the page's own origin, as each command must.
    ///
    /// Cookies are shared by all ports of a host, and browsers send them with requests from pages of other ports. Those
    /// requests name no origin if their method is GET or HEAD.
    func isOfOwnOrigin(_ head: CollectedHead) -> Bool {
        head.headers["origin"].map { origins.contains($0.lowercased()) } ?? false
    }

    /// Exchanges a link's token for the page's cookie, so that the token stays in no address; `nil` for a wrong one.
    func welcome(_ head: CollectedHead) -> CollectorResponse? {
        guard let offered = head.query["token"], isSame(offered, token) else { return nil }
        let value = "\(cookie)=\(token); Path=/; HttpOnly; SameSite=Strict"
        return CollectorResponse(303, headers: [.init("Location", "/"), .init("Set-Cookie", value)])
    }

    /// Compares in a time that does not tell where the texts differ.
    private func isSame(_ left: some StringProtocol, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
