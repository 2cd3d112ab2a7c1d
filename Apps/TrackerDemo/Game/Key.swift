/// A key that the game supports.
enum Key: Sendable, Hashable {
    case up, down, left, right, space
    case letter(Character)

    /// Parses keys from a terminal's input.
    ///
    /// Skips escape sequences other than arrow keys.
    static func read(_ bytes: [UInt8]) -> [Key] {
        var keys: [Key] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B:
                guard let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O") else { continue }
                rest.removeFirst()
                let parameters = rest.prefix { (0x20...0x3F).contains($0) }
                rest.removeFirst(parameters.count)
                if let arrow = rest.popFirst().flatMap({ arrows[$0] }) { keys.append(arrow) }
            case UInt8(ascii: " "): keys.append(.space)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): keys.append(.letter(Character(Unicode.Scalar(byte))))
            default: break
            }
        }
        return keys
    }

    private static let arrows: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]
}
