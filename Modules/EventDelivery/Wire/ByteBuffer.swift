/// Bytes that are appended to in small pieces, each written straight into memory.
///
/// An array asks at each append whether its memory is its own and has room; here a piece asks once, however many parts
/// it has.
struct ByteBuffer: Sendable {
    /// As long as the memory is; what stands behind ``count`` means nothing.
    private var storage: [UInt8] = []
    /// How many bytes there are.
    private(set) var count = 0

    /// Creates an empty buffer.
    init() {}

    /// The bytes, as an array of their own.
    var bytes: [UInt8] { Array(storage.prefix(count)) }

    /// Appends what a body writes from a pointer on, moving the pointer behind it: `most` bytes or fewer.
    @inline(__always)
    mutating func write(upTo most: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        if storage.count - count < most { grow(by: most) }
        let start = count
        count = storage.withUnsafeMutableBufferPointer { memory in
            guard let address = memory.baseAddress else { return start }
            var end = address + start
            body(&end)
            return end - address
        }
    }

    /// Appends bytes.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        write(upTo: bytes.count) { $0.put(bytes) }
    }

    /// Gives the bytes to a body without copying them.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }

    /// Takes the bytes from a place on away.
    mutating func removeAll(from place: Int) {
        count = max(0, min(count, place))
    }

    /// Empties the buffer; it keeps its memory up to so many bytes.
    mutating func removeAll(keeping most: Int) {
        count = 0
        if storage.count > most { storage = [] }
    }

    private mutating func grow(by most: Int) {
        let wanted = max(count + most, 2 * storage.count, 512)
        storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
    }
}
