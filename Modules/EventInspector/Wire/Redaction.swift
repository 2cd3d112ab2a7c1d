import LoopbackCollector

/// Takes credentials out of what leaves the page for a file or a terminal.
enum Redaction {
    /// What stands in the place of a secret.
    static let mark = "REDACTED"

    private static let words = ["auth", "cookie", "credential", "key", "pass", "secret", "signature", "token"]

    /// Whether a header field or a query item holds a secret, by its name.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }

    /// A request's target with the values of secret query items replaced, and the path's own secret in Sumo's address.
    static func target(_ target: String) -> String {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = String(halves.first ?? "")
        let source = "/receiver/v1/http/"
        if let range = path.firstRange(of: source) { path = path[..<range.upperBound] + mark }
        guard halves.count > 1 else { return path }
        let items = halves[1].split(separator: "&").map { item -> String in
            let name = item.prefix { $0 != "=" }
            return isSecret(String(name)) ? "\(name)=\(mark)" : String(item)
        }
        return path + "?" + items.joined(separator: "&")
    }

    /// The header fields of a request as it can be repeated: without those of the connection, without secrets.
    static func headers(_ head: CollectedHead) -> [(name: String, value: String)] {
        let connection = ["accept-encoding", "connection", "content-encoding", "content-length", "expect", "host"]
        return head.headers.filter { !connection.contains($0.key) }.sorted { $0.key < $1.key }
            .map { (name: $0.key, value: isSecret($0.key) ? mark : $0.value) }
    }

    /// A request as a command line for `curl`.
    static func curl(_ arrival: Arrival, receiver: String) -> String {
        var words = ["curl", "-X", arrival.head.method, quoted(receiver + target(arrival.head.target))]
        for (name, value) in headers(arrival.head) { words += ["-H", quoted("\(name): \(value)")] }
        return (words + ["--data-binary", quoted(arrival.text)]).joined(separator: " ")
    }

    /// A word for a shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
