import Testing

@testable import EventTracking

@Suite struct SHA256Tests {
    // The examples of FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `digests equal those of the standard`(message: String, digest: String) {
        #expect(SHA256.digest(of: Array(message.utf8)).hexadecimal == digest)
    }

    // The expected value was computed with another implementation.
    @Test func `digests are correct for every length around the block size`() {
        let chain = (0...200).reduce([UInt8]()) { digest, count in
            SHA256.digest(of: digest + Array(repeating: UInt8(ascii: "a"), count: count))
        }

        #expect(chain.hexadecimal == "86de8167774d99c6ba788261973fd91a1630281568ba6e42063a40ab9d4d28a9")
    }

    // The examples 2 and 6 of RFC 4231.
    @Test(
        arguments: [
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                Array(repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ] as [([UInt8], String, String)]
    )
    func `authentication codes equal those of the standard`(key: [UInt8], message: String, code: String) {
        #expect(SHA256.authenticationCode(of: Array(message.utf8), key: key).hexadecimal == code)
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
