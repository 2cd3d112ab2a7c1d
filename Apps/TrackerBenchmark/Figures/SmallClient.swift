import Foundation

/// The code and the start of the smallest app of one product with two services, which is in `Tests/Packages/Client`.
///
/// The floor of the start is a program with the same libraries that stores a row in an SQLite file, with a barrier.
struct SmallClient: Figure {
    private static let code = Row("code of a client", .bytes, .atMost(1_650_000), isCount: true)
    private static let staticCode = Row("code of a client with the runtime", .bytes, isCount: true)
    /// The modules in the client, from the largest.
    private static let modules = [
        "EventDelivery", "EventTracking", "EventOutbox", "HTTPTransport", "DeliveryLogging", "EventQuotas",
        "CoreTracker", "MultiTracker", "AwesomeTracking", "FirebaseTracking", "DLTracker", "DLProductDetail",
        "DLListing", "DLCheckout", "Analytics", "VendorRules", "MeasurementProtocol", "Locks",
    ]
    /// The options of the engine, which the package builds beside the client.
    private static let options = [
        "DeliveryMetrics", "FeatureFlags", "FormatChanges", "FoundationParameters", "ProfileUpdates", "QuotasFetching",
        "SDKDelivery", "SentRecord", "ServerDelivery", "TimedEvents", "WebBridge",
    ]
    private static let start = Row("start of a client, first event stored", .nanoseconds, .timesFloor(1.3))
    private static let linking = Row("start of an empty program with the client's libraries", .nanoseconds)
    private static let starts = 40

    let rows = [code, staticCode] + modules.map(row) + options.map(optionRow) + [start, linking]
    let runs = RunCount(full: 1, quick: 0)

    func measure(_ setting: Setting) throws -> [Sample] {
        guard let package = SwiftPackage(at: "\(SwiftPackage.root)/Tests/Packages/Client") else {
            return SwiftPackage.missingSamples(rows)
        }
        guard let size = Tool(named: "size") else {
            return rows.map { Sample(row: $0.name, value: nil, note: "needs size in the search path") }
        }
        let release = ["--configuration", "release"]
        let (dynamic, fixed) = ("\(setting.directory)/dynamic", "\(setting.directory)/static")
        try package.build(release, in: dynamic)
        try package.build(release + ["--product", "Client", "--static-swift-stdlib"], in: fixed)

        func sample(_ row: Row, _ files: [String]) throws -> Sample {
            let sizes = SectionSizes(try size.run(["-A"] + files).output)
            return Sample(row: row.name, value: sizes.code, note: "needs ELF files")
        }
        let programs = [
            try sample(Self.code, ["\(dynamic)/release/Client"]),
            try sample(Self.staticCode, ["\(fixed)/release/Client"]),
        ]
        let modules = Self.modules.map { ($0, Self.row($0)) } + Self.options.map { ($0, Self.optionRow($0)) }
        let parts = try modules.map { module, row in
            let folder = "\(dynamic)/release/\(module).build"
            let objects = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".o") }
            return try sample(row, objects.map { "\(folder)/\($0)" })
        }
        return try programs + parts + measureStart(of: "\(dynamic)/release", in: setting.directory)
    }

    private static func row(_ module: String) -> Row { Row("code of a client: \(module)", .bytes, isCount: true) }

    private static func optionRow(_ option: String) -> Row {
        Row("code of an option of a client: \(option)", .bytes, isCount: true)
    }

    /// Starts the programs in turns.
    ///
    /// The first start of each creates its files and does not count.
    private func measureStart(of folder: String, in directory: String) throws -> [Sample] {
        let (client, byHand) = (Tool(path: "\(folder)/Client"), Tool(path: "\(folder)/HandWritten"))
        var (start, floor, linking) = (Percentiles(), Percentiles(), Percentiles())
        for round in 0...Self.starts {
            let times = (
                try client.measureStart(["\(directory)/queue"]), try byHand.measureStart([directory]),
                try byHand.measureStart([])
            )
            guard round > 0 else { continue }
            start.add(times.0)
            floor.add(times.1)
            linking.add(times.2)
        }
        start.sort()
        floor.sort()
        linking.sort()
        return [
            Sample(row: Self.start.name, value: start.value(at: 0.5), floor: floor.value(at: 0.5)),
            Sample(row: Self.linking.name, value: linking.value(at: 0.5)),
        ]
    }
}
