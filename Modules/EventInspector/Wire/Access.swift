import LoopbackCollector

/// Who may ask what: requests for this host by its own pages, and the page's paths only with the token.
struct Access: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>
    private let token: String
    private let cookie: String

    /// Creates the rules of a port.
    init(port: UInt16, token: String) {
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        origins = Set(hosts.map { "http://" + $0 })
        self.token = token
        // Cookies are shared by all ports of a host, so that each inspector has a name of its own.
        cookie = "inspector-\(port)"
    }

    /// The answer to a request for another host (a name that was rebound to this machine) or by a foreign page.
    func refusal(of head: CollectedHead) -> CollectorResponse? {
        guard hosts.contains(head.headers["host"]?.lowercased() ?? "") else {
            return CollectorResponse(421, text: "This address is 127.0.0.1, by this name alone.\n")
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
