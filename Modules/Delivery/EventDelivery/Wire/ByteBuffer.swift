/// A buffer to which bytes are appended in small pieces.
///
/// An array checks at each append whether its memory is unique and large enough. This buffer checks once for each
/// piece, however many parts the piece has.
struct ByteBuffer: Sendable {
    /// The memory.
    ///
    /// Bytes beyond ``count`` are unused.
    private var storage: [UInt8] = []
    /// The number of bytes in use.
    private(set) var count = 0

    /// Creates an empty buffer.
    init() {}

    /// A copy of the bytes.
    var bytes: [UInt8] { Array(storage.prefix(count)) }

    /// Appends the bytes written by a closure.
    ///
    /// The closure writes at most `maximum` bytes and advances the pointer past them.
    @inline(__always)
    mutating func write(upTo maximum: Int, _ body: (inout UnsafeMutablePointer<UInt8>) -> Void) {
        if storage.count - count < maximum { grow(by: maximum) }
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
        write(upTo: bytes.count) { $0.write(bytes) }
    }

    /// Passes the bytes to a closure without copying them.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        storage.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<count])) }
    }

    /// Removes the bytes from a position to the end.
    mutating func removeAll(from place: Int) {
        count = max(0, min(count, place))
    }

    /// Empties the buffer.
    ///
    /// It keeps its memory up to `maximum` bytes.
    mutating func removeAll(keeping maximum: Int) {
        count = 0
        if storage.count > maximum { storage = [] }
    }

    private mutating func grow(by count: Int) {
        let wanted = max(self.count + count, 2 * storage.count, 512)
        storage.append(contentsOf: repeatElement(0, count: wanted - storage.count))
    }
}
