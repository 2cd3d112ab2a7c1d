import EventDeliveryTesting

/// A generator of hostile HTTP responses: valid and unusual ones with random changes.
struct ResponseMutator {
    private static let heads = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.1 503 Unavailable\r\nRetry-After: 120\r\nContent-Length: 4\r\n\r\nbusy",
        "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n",
        "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nSet-Cookie: a=b; Path=/\r\n\r\nok", "200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\u{1F}\u{8B}\u{8}",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\0\0\0\u{4}\0\0\0\0\0",
        "HTTP/2 200\r\nAlt-Svc: h2=\":1\"\r\nStrict-Transport-Security: max-age=1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\u{6}\u{4}\0\0\0\0\0\0\u{3}\0\0\0\u{64}",
    ].map { Array($0.utf8) }
    private static let tokens = [
        "\r\n", "\n", "\r", "\0", ":", ";", " ", "\t", "\r\n\r\n", "0\r\n\r\n", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 100 C\r\n\r\n",
        "Content-Length: 0\r\n", "Content-Length: -1\r\n", "Content-Length: 9223372036854775807\r\n", "-", "+", "0x",
        "é",
        "Content-Length: 18446744073709551616\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "ffffffffffffffff\r\n", "7fffffffffffffff\r\n", "99999999999", "Connection: close\r\n",
        "Connection: keep-alive\r\n",
        "Location: //\r\n", "Set-Cookie: a=b\r\n", " folded\r\n", "\u{FEFF}", "Retry-After: 99999999999999999999\r\n",
    ].map { Array($0.utf8) }

    private var generator: SeededGenerator

    /// Prepares a case for a seed and a number.
    init(seed: UInt64, number: UInt64) {
        generator = SeededGenerator(seed: seed &+ number &* 0xD134_2543_DE82_EF95)
    }

    /// Returns the next response.
    mutating func response() -> [UInt8] {
        var bytes = element(of: ResponseMutator.heads)
        if chance(of: 8) { bytes += element(of: ResponseMutator.heads) }
        for _ in 0..<below(6) { change(&bytes) }
        return bytes
    }

    /// Returns bytes instead of a TLS handshake's response: a record whose length and content may not match.
    mutating func handshake() -> [UInt8] {
        let content = (0..<below(64)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let kind = UInt8.random(in: 20...24, using: &generator)
        let length = chance(of: 2) ? content.count : below(65_536)
        return [kind, 3, UInt8(below(5)), UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// Returns a random number below a limit.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    /// Returns `true` once in the given number of times, at random.
    mutating func chance(of times: Int) -> Bool { below(times) == 0 }

    private mutating func element(of list: [[UInt8]]) -> [UInt8] { list[below(list.count)] }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        let part = place..<min(bytes.count, place + below(16))
        switch below(8) {
        case 0: bytes.removeSubrange(part)
        case 1: bytes.insert(contentsOf: bytes[part], at: place)
        case 2: bytes.replaceSubrange(part, with: part.map { _ in UInt8.random(in: 0...255, using: &generator) })
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.insert(contentsOf: repeatElement(UInt8(ascii: "x"), count: 1 << below(18)), at: place)
        case 5: if place < bytes.count { bytes[place] ^= 1 << UInt8(below(8)) }
        default: bytes.insert(contentsOf: element(of: ResponseMutator.tokens), at: place)
        }
    }
}
