/// A pseudorandom number generator (SplitMix64) with the same sequence on every platform.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator.
    ///
    /// - Parameter seed: The start of the sequence.
    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    ///
    /// It uses 53 bits directly, because the standard library's algorithm may change between versions.
    mutating func share() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a number in a range.
    mutating func number(from minimum: Double, to maximum: Double) -> Double {
        minimum + (maximum - minimum) * share()
    }
}
