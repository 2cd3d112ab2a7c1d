public import EventDelivery

extension EventID {
    /// Returns an id for tests.
    ///
    /// - Parameter number: The number at the end of the id.
    /// - Returns: A version 7 UUID.
    public static func stub(_ number: UInt16 = 1) -> EventID {
        EventID(high: 0x0195_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }
}
