public import EventDelivery

extension EventID {
    /// An id for tests: a version 7 UUID that ends in the given number.
    public static func stub(_ number: UInt16 = 1) -> EventID {
        EventID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }
}
