import LoopbackCollector

/// The removal of credentials from requests before they are exported or shown as a command.
enum Redaction {
    /// The replacement of a secret.
    static let mark = "REDACTED"

    private static let words = ["auth", "cookie", "credential", "key", "pass", "secret", "signature", "token"]

    /// Returns whether the name of a header field or query item indicates a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return words.contains { name.contains($0) }
    }

    /// Returns a request's target without secret query items and without the secret in the path of a Sumo address.
    static func target(_ target: String) -> String {
        // By scalars, because a combining mark would hide the separator before it.
        let halves = target.unicodeScalars.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = halves.first.map { String($0) } ?? ""
        let source = "/receiver/v1/http/".unicodeScalars
        if let range = path.unicodeScalars.firstRange(of: source) { path = path[..<range.upperBound] + mark }
        guard halves.count > 1 else { return path }
        let items = halves[1].split(separator: "&").map { item -> String in
            let name = String(item.prefix { $0 != "=" })
            return isSecret(name) ? "\(name)=\(mark)" : String(item)
        }
        return path + "?" + items.joined(separator: "&")
    }

    /// Returns the header fields with which a request can be repeated, without connection headers and secrets.
    static func headers(_ head: CollectedHead) -> [(name: String, value: String)] {
        let connection = ["accept-encoding", "connection", "content-encoding", "content-length", "expect", "host"]
        return head.headers.filter { !connection.contains($0.key) }.sorted { $0.key < $1.key }
            .map { (name: $0.key, value: isSecret($0.key) ? mark : $0.value) }
    }

    /// Returns a request as a `curl` command.
    static func curl(_ arrival: Arrival, receiver: String) -> String {
        var words = ["curl", "-X", quoted(arrival.head.method), quoted(receiver + target(arrival.head.target))]
        for (name, value) in headers(arrival.head) { words += ["-H", quoted("\(name): \(value)")] }
        return (words + ["--data-binary", quoted(arrival.text)]).joined(separator: " ")
    }

    /// Returns a text quoted for a shell.
    private static func quoted(_ text: String) -> String {
        // By scalars, because a combining mark would hide the quote before it.
        "'" + text.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
}
