import CoreTracker
import EventDelivery
import Foundation
import Locks

/// The floor of encoding: the bodies of a `ShopEvent`, written by hand for this one shape.
///
/// A test compares the bytes with the bodies of the destinations. The code omits checks, escapes and look-ups with a
/// known result for this event.
struct HandWritten {
    private let device: String
    private let session: String
    private let sessionStart: Int64
    /// The bytes of all bodies so far.
    private(set) var bytes: [UInt8] = []

    /// Creates an encoder for an identity.
    init(_ identity: Identity) {
        device = identity.deviceID
        session = identity.sessionID
        sessionStart = identity.sessionStart.seconds
    }

    /// Empties the buffer and keeps its memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Returns the bytes and empties the buffer.
    mutating func takeBytes() -> [UInt8] {
        defer { removeAll() }
        return bytes
    }

    /// Appends the body for Firebase.
    mutating func appendFirebase(_ event: ShopEvent, id: EventID, time: Timestamp) {
        append(#"{"name":"view_item","timestamp_micros":"#)
        append(time.microseconds)
        append(#","params":{"event_id":""#)
        id.write(to: &bytes)
        append(#"","item_id":""#)
        append(text: event.productID)
        append(#"","item_name":""#)
        append(text: event.name)
        append(#"","item_category":""#)
        append(text: event.category)
        append(#"","item_list_id":""#)
        append(text: event.listID)
        append(#"","price":"#)
        append(text: event.price.description)
        append(#","quantity":"#)
        append(Int64(event.quantity))
        append(#","index":"#)
        append(Int64(event.position))
        append(event.isOnSale ? #","on_sale":1,"session_id":"# : #","on_sale":0,"session_id":"#)
        append(sessionStart)
        append(#","app_session":""#)
        append(text: session)
        append(#"","engagement_time_msec":1}}"#)
    }

    /// Appends the body for AwesomeTracking.
    mutating func appendAwesomeTracking(_ event: ShopEvent, id: EventID, time: Timestamp, sequence: Int64) {
        append(#"{"event_id":""#)
        id.write(to: &bytes)
        append(#"","name":"product_viewed","ts_ms":"#)
        append(time.milliseconds)
        append(#","seq":"#)
        append(sequence)
        append(#","session_id":""#)
        append(text: session)
        append(#"","device_id":""#)
        append(text: device)
        append(#"","user_id":"","product":"DL","app_version":"1.0.0","schema":1,"props":"{\"item_id\":\""#)
        append(text: event.productID)
        append(#"\",\"item_name\":\""#)
        append(text: event.name)
        append(#"\",\"item_category\":\""#)
        append(text: event.category)
        append(#"\",\"item_list_id\":\""#)
        append(text: event.listID)
        append(#"\",\"price\":"#)
        append(text: event.price.description)
        append(#",\"quantity\":"#)
        append(Int64(event.quantity))
        append(#",\"index\":"#)
        append(Int64(event.position))
        append(event.isOnSale ? #",\"on_sale\":true"# : #",\"on_sale\":false"#)
        append(#",\"channel\":\"dolap_lite\",\"product_id\":\"DL\",\"storefront\":\"TR\",\"currency\":\"TRY\""#)
        append(#",\"language\":\"tr\",\"platform\":\"linux\"}"}"#)
    }

    /// Appends a line feed.
    mutating func appendLineFeed() {
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(text: String) {
        var text = text
        text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ value: Int64) {
        append(text: String(value))
    }
}

/// The floor of a call: two entries with the names, keys and values of both services, appended under a lock.
final class HandWrittenBuffer: Sendable {
    private struct Entry: Sendable {
        let name: String
        let parameters: [(key: String, value: ParameterValue)]
    }

    private let entries: Mutex<[Entry]>

    /// Creates a buffer with space for a number of events.
    init(capacity: Int) {
        var entries: [Entry] = []
        entries.reserveCapacity(2 * capacity)
        self.entries = Mutex(entries)
    }

    /// Appends an event.
    func append(_ event: ShopEvent) {
        let firebase = Entry(name: "view_item", parameters: HandWrittenBuffer.parameters(of: event))
        let awesomeTracking = Entry(name: "product_viewed", parameters: HandWrittenBuffer.parameters(of: event))
        entries.withLock {
            $0.append(firebase)
            $0.append(awesomeTracking)
        }
    }

    private static func parameters(of event: ShopEvent) -> [(key: String, value: ParameterValue)] {
        [
            ("item_id", .string(event.productID)), ("item_name", .string(event.name)),
            ("item_category", .string(event.category)), ("item_list_id", .string(event.listID)),
            ("price", .double(event.price)), ("quantity", .int(event.quantity)),
            ("index", .int(event.position)), ("on_sale", .bool(event.isOnSale)),
        ]
    }
}

/// The floor of a transport: one connection to a local port, with sequential requests.
final class HandWrittenClient {
    private let descriptor: Int32

    /// Connects.
    init(port: UInt16) throws {
        #if canImport(Darwin)
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        guard code == 0 else { throw BenchmarkError("no connection to the collector") }
    }

    deinit {
        close(descriptor)
    }

    /// Posts a gzip body and waits for the response's header.
    ///
    /// The collector's responses have no body.
    func post(_ body: [UInt8]) throws {
        let head = """
            POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Encoding: gzip\r
            Content-Length: \(body.count)\r\n\r\n
            """
        // Use one write, because the system may delay a second one to fill a segment.
        try write(Array(head.utf8) + body)
        var answer: [UInt8] = []
        while !answer.suffix(4).elementsEqual([13, 10, 13, 10]) {
            var chunk = [UInt8](repeating: 0, count: 1_024)
            let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { throw BenchmarkError("the collector has closed the connection") }
            answer += chunk.prefix(count)
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, 0)
            }
            guard count > 0 else { throw BenchmarkError("the collector has closed the connection") }
            sent += count
        }
    }
}

/// A file to which groups are appended, with a barrier against power loss once a second.
final class AppendOnlyFile {
    private let descriptor: Int32
    private var lastBarrier = Stopwatch.now

    /// Creates the file.
    init(path: String) throws {
        descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
    }

    deinit {
        close(descriptor)
    }

    /// Appends a group with one write.
    func append(_ bytes: [UInt8]) throws {
        let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard written == bytes.count else { throw POSIXError(.ENOSPC) }
        guard Stopwatch.now - lastBarrier > 1_000_000_000 else { return }
        try makeBarrier()
    }

    /// Makes all data survive a power loss.
    func makeBarrier() throws {
        guard fsync(descriptor) == 0 else { throw POSIXError(.EIO) }
        lastBarrier = Stopwatch.now
    }
}
