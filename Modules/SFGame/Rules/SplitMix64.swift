/// A generator of numbers that look random and are the same for the same seed, on every platform (SplitMix64).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    /// Starts a sequence.
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

    /// Returns a number from 0 up to 1; its 53 bits do not depend on how the standard library makes such numbers.
    mutating func share() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// Returns a number of a range.
    mutating func number(from least: Double, to most: Double) -> Double {
        least + (most - least) * share()
    }
}
