public import Foundation

/// A library that tracks events, opened in a directory.
public protocol Peer {
    /// The work of a call and of its storing, for the last column of the table.
    static var note: String { get }

    /// Opens the library, which must not send any event.
    ///
    /// - Parameter directory: An existing directory for the library's files.
    init(in directory: URL) async throws

    /// Tracks an event.
    ///
    /// The driver measures this call, from the event's plain values to its return.
    func track(_ event: ShopEvent)

    /// Waits until all tracked events are in files.
    func store() async

    /// Closes the library.
    ///
    /// - Returns: The number of events in files, or `nil` if the library stores none.
    func close() async -> Int?
}

/// The values of the tracked event, which is named `product_viewed` and has eight parameters.
public struct ShopEvent: Sendable {
    public let itemID: String
    public let itemName = "Running shoes, blue"
    public let itemCategory = "apparel.shoes.sport"
    public let itemListID = "search"
    public let price = 89.5
    public let quantity = 1
    public let index: Int
    public let isOnSale = false

    /// Creates an event with a number that makes its body unique.
    init(number: Int) {
        itemID = "p-\(number)"
        index = number & 63
    }
}

/// A program that measures a library in the directory of its first argument, and prints one line.
public enum Driver {
    private static let clock = ContinuousClock()

    /// Measures a library.
    ///
    /// The line has the 50th and 99th percentile of a call in nanoseconds, the stored events per second, the bytes in
    /// files for each event, and the note. A dash replaces a value that the library does not have.
    ///
    /// - Throws: An error of the library, or ``LostEvents``.
    public static func measure<Library: Peer>(_: Library.Type) async throws {
        let directory = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".")
        let peer = try await Library(in: directory)
        var count = 0
        func burst(_ calls: Int) async -> [Duration] {
            var times: [Duration] = []
            for number in count..<count + calls {
                let event = ShopEvent(number: number)
                times.append(clock.measure { peer.track(event) })
            }
            count += calls
            await peer.store()
            return times
        }

        _ = await burst(1_000)
        var times: [Duration] = []
        for _ in 0..<40 { times += await burst(500) }
        times.sort()
        let start = clock.now
        for _ in 0..<10 { _ = await burst(4_000) }
        let rate = Int(40_000 / ((clock.now - start) / .seconds(1)))

        let stored = await peer.close()
        if let stored, stored != count { throw LostEvents(stored: stored, tracked: count) }
        let calls = [0.5, 0.99].map { "\(Int(times[Int($0 * Double(times.count))] / .nanoseconds(1)))" }
        let storing = stored.map { ["\(rate)", "\(fileSize(in: directory) / $0)"] } ?? ["-", "-"]
        print((calls + storing + [Library.note]).joined(separator: "\t"))
    }

    /// Returns the size of all files in a directory.
    private static func fileSize(in directory: URL) -> Int {
        let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: [.fileSizeKey])
        return (files?.allObjects as? [URL] ?? []).reduce(0) {
            $0 + ((try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
        }
    }
}

/// The failure of a library whose files do not contain all tracked events.
public struct LostEvents: Error, CustomStringConvertible {
    let stored: Int
    let tracked: Int

    public var description: String { "it stored \(stored) of \(tracked) events" }
}
