import CoreTracker

/// The feature flags of one user in a product.
struct FlagList: Sendable {
    /// The maximum number of flags, each of which is a parameter of every event.
    static let maximumCount = 16
    /// The start of the parameters' names.
    static let prefix = "flag_"

    /// The flags as parameters, in the order in which they were set.
    private(set) var parameters: EventParameters = []
    private var flags: [(name: String, variant: String)] = [] {
        didSet {
            parameters = EventParameters(flags.map { (ParameterKey(FlagList.prefix + $0.name), .string($0.variant)) })
        }
    }

    /// Sets or removes a flag.
    mutating func set(_ name: String, _ variant: String?) throws(FlagError) {
        guard let variant else { return flags.removeAll { $0.name == name } }
        guard FlagList.isName(name) else { throw .invalidName(name) }
        guard (1...100).contains(variant.utf8.count) else { throw .invalidVariant(variant) }
        if let index = flags.firstIndex(where: { $0.name == name }) {
            guard flags[index].variant != variant else { return }
            flags[index].variant = variant
        } else if flags.count < FlagList.maximumCount {
            flags.append((name, variant))
        } else {
            throw .tooManyFlags(maximum: FlagList.maximumCount)
        }
    }

    private static func isName(_ name: String) -> Bool {
        guard (1...32).contains(name.utf8.count), let first = name.utf8.first, first.isASCIILetter else { return false }
        return name.utf8.allSatisfy {
            $0.isASCIILetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
