/// SHA-256 (FIPS 180-4) and HMAC with it (RFC 2104).
///
/// Linux has no implementation without a package: neither Foundation nor SQLite nor zlib contains one. Apple platforms
/// use the same code, which makes the tests valid everywhere. A block of 64 bytes takes
/// about a microsecond. No lock is held meanwhile.
package struct SHA256 {
    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var words = [UInt32](repeating: 0, count: 64)

    /// Returns the digest of a message.
    ///
    /// - Parameter message: The bytes to hash.
    /// - Returns: The 32 bytes of the digest.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        padded.append(contentsOf: repeatElement(0, count: (120 - padded.count % 64) % 64))
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: (UInt64(message.count) << 3) >> UInt64(shift)))
        }
        var hash = SHA256()
        for start in stride(from: 0, to: padded.count, by: 64) { hash.add(padded, at: start) }
        return hash.state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    /// Returns the authentication code (HMAC) of a message.
    ///
    /// - Parameters:
    ///   - message: The bytes to authenticate.
    ///   - key: The secret key.
    /// - Returns: The 32 bytes of the code.
    package static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? digest(of: key) : key
        block.append(contentsOf: repeatElement(0, count: 64 - block.count))
        return digest(of: block.map { $0 ^ 0x5c } + digest(of: block.map { $0 ^ 0x36 } + message))
    }

    /// Adds the block of 64 bytes at an offset.
    private mutating func add(_ message: [UInt8], at offset: Int) {
        for index in 0..<16 {
            let start = offset + 4 * index
            words[index] =
                UInt32(message[start]) << 24 | UInt32(message[start + 1]) << 16 | UInt32(message[start + 2]) << 8
                | UInt32(message[start + 3])
        }
        for index in 16..<64 {
            let (old, recent) = (words[index - 15], words[index - 2])
            let first = old.rotated(7) ^ old.rotated(18) ^ old >> 3
            let second = recent.rotated(17) ^ recent.rotated(19) ^ recent >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let chosen = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let mixed = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ mixed &+ chosen &+ SHA256.constants[round] &+ words[round]
            let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}

extension UInt32 {
    /// Returns this value rotated to the right.
    fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
