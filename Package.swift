// swift-tools-version: 6.2
import PackageDescription

// A shelf is a folder of Modules and a list below. A module's folders, target and tests follow from its name.

// MARK: Core
let core: [Module] = [
    .module("Analytics", ["CoreTracker"], tests: ["CoreTrackerTesting"]),
    .module("CoreTracker", ["Locks"], tests: ["CoreTrackerTesting"]),
    .module("MultiTracker", ["CoreTracker", "Locks"], tests: ["CoreTrackerTesting"]),
]

// MARK: Delivery
let delivery: [Module] = [
    .module(
        "EventTracking",
        ["Analytics", "CLibrary", "CoreTracker", "Locks"],
        tests: [
            "CoreTrackerTesting", "DeliveryMetrics", "EventDelivery", "EventDeliveryScenes", "EventDeliveryTesting",
        ]
    ),
    .module(
        "EventDelivery",
        [
            "CoreTracker", "DeliveryLogging", "EventOutbox", "EventQuotas", "EventTracking", "HTTPTransport",
            "Locks",
        ],
        tests: [
            "AwesomeTracking", "CSQLite", "CoreTrackerTesting", "DeliveryMetrics", "DeliveryProducer",
            "EventDeliveryScenes", "EventDeliveryTesting", "FeatureFlags", "LoopbackCollector", "ProfileUpdates",
            "QueueTool",
        ],
        testParts: ["Privacy", "Sending", "Storage"]
    ),
    .module(
        "EventOutbox",
        ["CChecksum", "CLibrary", "CoreTracker", "CSQLite", "EventTracking", "Locks"],
        tests: ["EventDeliveryTesting"]
    ),
    .module(
        "HTTPTransport",
        ["CCurl", "CZlib", "Locks"],
        tests: ["CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]
    ),
]

// MARK: Options
let options: [Module] = [
    // The engine imports it, because it is the engine's default log.
    .module(
        "DeliveryLogging",
        ["CLibrary", "CoreTracker", "EventTracking", "Locks"],
        tests: ["EventDeliveryTesting"],
        hasFixtures: true
    ),
    .option("DeliveryMetrics", over: ["CLibrary", "DeliveryLogging"], uses: [.locks], tests: ["EventDeliveryScenes"]),
    // The engine imports it, so a stored document applies from the opening on, without a call of the app.
    .module(
        "EventQuotas",
        ["CoreTracker", "EventTracking", "Locks"],
        tests: ["EventDelivery", "EventDeliveryTesting"]
    ),
    .module(
        "FeatureFlags",
        ["CoreTracker", "EventTracking", "Locks"],
        tests: ["CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting"]
    ),
    .option("FormatChanges", uses: [.locks], tests: ["ProfileUpdates"]),
    .module("FoundationParameters", ["CoreTracker", "EventTracking"]),
    .module(
        "ProfileUpdates",
        ["CoreTracker", "EventTracking", "Locks"],
        tests: ["DeliveryMetrics", "EventDelivery", "EventDeliveryScenes", "EventDeliveryTesting"]
    ),
    .module(
        "QuotasFetching",
        ["CoreTracker", "EventDelivery", "EventTracking", "HTTPTransport", "Locks"],
        tests: ["EventDeliveryTesting", "EventQuotas", "LoopbackCollector"]
    ),
    .option("SDKDelivery", over: ["VendorRules"]),
    .option("SentRecord", uses: [.locks]),
    .option("ServerDelivery", over: ["CLibrary"], uses: [.locks], tests: ["EventDeliveryScenes"]),
    .module("TimedEvents", ["Locks"], tests: ["CoreTracker", "CoreTrackerTesting"]),
    .option("VendorRules"),
    .module(
        "WebBridge",
        ["CoreTracker", "EventTracking", "Locks"],
        tests: ["DeliveryLogging", "EventDelivery", "EventDeliveryTesting", "InspectorClient"]
    ),
]

// MARK: Services
let services: [Module] = [
    .vendor("AdobeTracker", over: ["SDKDelivery", "VendorRules"], uses: [.locks]),
    .service("AwesomeTracking", tests: ["LoopbackCollector"]),
    .vendor("BrazeTracker", over: ["SDKDelivery", "VendorRules"], tests: ["ProfileUpdates"]),
    .service(
        "FirebaseTracking",
        over: ["MeasurementProtocol", "SDKDelivery", "VendorRules"],
        tests: ["LoopbackCollector"]
    ),
    .service(
        "GoogleAnalytics",
        over: ["MeasurementProtocol", "SDKDelivery", "VendorRules"],
        uses: [.analytics],
        tests: ["LoopbackCollector"]
    ),
    .module(
        "MeasurementProtocol",
        ["CoreTracker", "EventDelivery", "EventTracking", "SDKDelivery", "VendorRules"],
        tests: ["EventDeliveryTesting", "FirebaseTracking", "LoopbackCollector"]
    ),
    .vendor("SumoTracker"),
]

// MARK: Dolap Lite
let dolapLite: [Module] = [
    .product("DLTracker", uses: [.analytics]),
    .feature("DLCheckout", of: "DLTracker", uses: [.analytics]),
    .feature("DLListing", of: "DLTracker", uses: [.analytics]),
    .feature("DLProductDetail", of: "DLTracker", uses: [.multiTracker]),
]

// MARK: Trendyol
let trendyol: [Module] = [
    .product("TYTracker"),
    .feature("TYCheckout", of: "TYTracker"),
    .feature("TYProductDetail", of: "TYTracker"),
]

// MARK: Starfield
let starfield: [Module] = [
    .product("SFTracker", uses: [.multiTracker]),
    .feature("SFGame", of: "SFTracker", uses: [.multiTracker]),
    .feature("SFLeaderboard", of: "SFTracker", uses: [.locks, .multiTracker]),
]

// MARK: App
let productModules = (core + services + dolapLite + trendyol + starfield).map(\.name)
let everything = productModules + ["EventDelivery", "EventTracking"]
let app: [Module] = [
    .module(
        "AppTracking",
        ["CLibrary", "CoreTracker", "EventDelivery", "EventOutbox", "EventTracking", "Locks"],
        tests: ["CoreTrackerTesting", "EventDeliveryTesting"]
    ),
    .module(
        "SuperApp",
        everything + ["AppTracking", "FeatureFlags", "LoopbackCollector"],
        tests: ["CoreTrackerTesting", "EventDeliveryTesting", "FoundationParameters"]
    ),
]

// MARK: Testing
let testing: [Module] = [
    .module("CoreTrackerTesting", ["Analytics", "CoreTracker", "Locks", "MultiTracker"]),
    .module(
        "EventDeliveryTesting",
        [
            "CoreTracker", "CoreTrackerTesting", "DeliveryMetrics", "EventDelivery", "EventTracking", "Locks",
            "LoopbackCollector", "MultiTracker", "SDKDelivery",
        ]
    ),
    .module("LoopbackCollector", ["CLibrary", "CZlib", "HTTPTransport", "Locks"]),
]

// MARK: Tools
let tools: [Module] = [
    .module(
        "EventDeliverySimulation",
        [
            "CLibrary", "CoreTracker", "CSimulation", "CSQLite", "EventDelivery", "EventDeliveryTesting",
            "EventOutbox", "EventTracking", "FeatureFlags", "Locks",
        ]
    ),
    .module(
        "EventInspector",
        ["CPages", "CoreTracker", "Locks", "LoopbackCollector"],
        tests: ["CLibrary", "HTTPTransport"]
    ),
    .module(
        "InspectorClient",
        ["CoreTracker", "EventDelivery", "EventTracking", "Locks"],
        tests: ["EventDeliveryTesting", "LoopbackCollector"]
    ),
    .module("OptionParsing", []),
    .module(
        "TrackingPlan",
        ["CoreTracker", "CPages", "EventDelivery", "EventTracking", "VendorRules"],
        tests: ["AdobeTracker", "AwesomeTracking", "BrazeTracker", "FirebaseTracking", "SumoTracker"],
        hasFixtures: true
    ),
]

// MARK: System
let system: [Module] = [
    Module(name: "CLibrary", imports: []),
    .module("Locks", ["CLocks"]),
]

// MARK: Apps
let apps: [Module] = [
    .app(
        "DeliveryFuzz",
        [
            "CoreTracker", "CSQLite", "EventDelivery", "EventDeliveryTesting", "EventOutbox", "EventTracking",
            "LoopbackCollector", "OptionParsing",
        ]
    ),
    // The process that tests kill, with no more code than they need.
    .app(
        "DeliveryProducer",
        [
            "CoreTracker", "CSQLite", "EventDelivery", "EventDeliveryTesting", "EventTracking", "FormatChanges",
            "InspectorClient", "OptionParsing", "ProfileUpdates",
        ]
    ),
    // Alone, because CSimulation replaces the calls for files of the whole program.
    .app("DeliverySimulator", ["EventDeliverySimulation", "Locks", "OptionParsing"]),
    .app(
        "DeliverySoak",
        [
            "AdobeTracker", "BrazeTracker", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "EventTracking",
            "FirebaseTracking", "GoogleAnalytics", "LoopbackCollector", "OptionParsing", "SumoTracker",
        ]
    ),
    .app(
        "DolapLiteApp",
        [
            "AppTracking", "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "DLProductDetail", "DLTracker",
            "EventDelivery", "FirebaseTracking", "LoopbackCollector",
        ],
        tests: ["EventDeliveryTesting"]
    ),
    .app("InspectorTool", ["EventInspector", "LoopbackCollector", "OptionParsing"], tests: []),
    .app(
        "QueueTool",
        ["CoreTracker", "EventDelivery", "EventOutbox", "EventTracking", "OptionParsing"],
        tests: ["DeliveryProducer", "EventDeliveryTesting"]
    ),
    .app(
        "TrackerBenchmark",
        [
            "AppTracking", "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "CSQLite", "DeliveryMetrics",
            "DLProductDetail", "DLTracker", "EventDelivery", "EventDeliveryTesting", "EventTracking", "FeatureFlags",
            "FirebaseTracking", "FormatChanges", "HTTPTransport", "InspectorClient", "LoopbackCollector",
            "MultiTracker", "OptionParsing", "ProfileUpdates", "SFGame",
        ],
        tests: []
    ),
    .app(
        "TrackerDemo",
        everything + ["EventInspector", "InspectorClient", "LoopbackCollector", "OptionParsing", "SuperApp"],
        tests: ["CoreTrackerTesting", "EventDeliveryTesting"]
    ),
    .app(
        "TrackingPlanTool",
        everything + ["EventDeliveryTesting", "LoopbackCollector", "SuperApp", "TrackingPlan"],
        tests: []
    ),
    .app(
        "TrackingServer",
        [
            "AwesomeTracking", "CoreTracker", "DeliveryMetrics", "EventDelivery", "EventTracking",
            "LoopbackCollector", "OptionParsing", "ServerDelivery",
        ],
        tests: ["EventDeliveryTesting"]
    ),
    .app(
        "TrendyolApp",
        [
            "AppTracking", "AwesomeTracking", "CoreTracker", "EventDelivery", "FirebaseTracking", "LoopbackCollector",
            "TYProductDetail", "TYTracker",
        ],
        tests: ["EventDeliveryTesting"]
    ),
]

// MARK: The package

/// The modules whose tests are built, by `Scripts/test --module`; `nil` for all.
let testedModules = Context.environment["TESTED_MODULES"]?.split(separator: ",").map(String.init)

/// The modules that a debug build optimizes too, by `Scripts/test`.
let optimizedModules = Context.environment["OPTIMIZED_MODULES"]?.split(separator: ",").map(String.init) ?? []

// The libraries for other packages and for an app's project. The modules of a product are one library.
let products: KeyValuePairs = [
    "CoreTracker": core.map(\.name),
    "EventTracking": ["EventTracking"],
    "EventDelivery": ["EventDelivery"],
    "DeliveryMetrics": ["DeliveryMetrics"],
    "FeatureFlags": ["FeatureFlags"],
    "FormatChanges": ["FormatChanges"],
    "FoundationParameters": ["FoundationParameters"],
    "ProfileUpdates": ["ProfileUpdates"],
    "QuotasFetching": ["QuotasFetching"],
    "SDKDelivery": ["SDKDelivery"],
    "SentRecord": ["SentRecord"],
    "ServerDelivery": ["ServerDelivery"],
    "TimedEvents": ["TimedEvents"],
    "AwesomeTracking": ["AwesomeTracking"],
    "FirebaseTracking": ["FirebaseTracking"],
    "GoogleAnalytics": ["GoogleAnalytics"],
    "AdobeTracker": ["AdobeTracker"],
    "BrazeTracker": ["BrazeTracker"],
    "SumoTracker": ["SumoTracker"],
    "VendorRules": ["VendorRules"],
    "WebBridge": ["WebBridge"],
    "AppTracking": ["AppTracking"],
    "CoreTrackerTesting": ["CoreTrackerTesting"],
    "EventDeliveryTesting": ["EventDeliveryTesting", "LoopbackCollector"],
    "InspectorClient": ["InspectorClient"],
    "TrackingPlan": ["TrackingPlan"],
]
// The sample products are no libraries, except for the packages in Tests/Packages, whose scripts set the variable.
let samples = Context.environment["SAMPLES"] == nil ? [] : [("DolapLite", dolapLite), ("Trendyol", trendyol)]
let shelves: KeyValuePairs = [
    "Core": core, "Delivery": delivery, "Options": options, "Services": services, "DolapLite": dolapLite,
    "Trendyol": trendyol, "Starfield": starfield, "App": app, "Testing": testing, "Tools": tools, "System": system,
    "Apps": apps,
]
/// The scenes that all parts of the engine's tests share.
let scenes = Target.target(
    name: "EventDeliveryScenes",
    dependencies: [
        "CoreTracker", "CSQLite", "EventDelivery", "EventDeliveryTesting", "EventOutbox", "EventTracking", "Locks",
    ],
    path: "Tests/Delivery/EventDeliveryScenes"
)
/// The modules of the System shelf that contain C code.
let cTargets = ["CPages", "CSimulation"]
let package = Package(
    name: "ModularEventTracker",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: products.map { .library(name: $0, targets: $1) }
        + samples.map { .library(name: $0, targets: $1.map(\.name)) },
    targets: ["CChecksum", "CCurl", "CLocks", "CSQLite", "CZlib"]
        .map { .systemLibrary(name: $0, path: "Modules/System/\($0)") }
        + cTargets.map { .target(name: $0, path: "Modules/System/\($0)", publicHeadersPath: ".") }
        + [scenes]
        + shelves.flatMap { shelf, modules in modules.flatMap { $0.targets(on: shelf) } }
)

for target in package.targets where target.type != .system && !cTargets.contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),  // data-race safety is checked by the compiler
        .enableUpcomingFeature("ExistentialAny"),  // a dynamic call shows as `any`
        .enableUpcomingFeature("InternalImportsByDefault"),  // a dependency leaks only where it says so
        .enableUpcomingFeature("MemberImportVisibility"),  // a member needs its module's import
        .enableUpcomingFeature("InferIsolatedConformances"),  // a presenter's conformance follows its actor
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // async code stays with its caller
    ]
    // The tests run the optimized engine, as apps do, in about half of the processor time.
    if optimizedModules.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"]))
    }
    let speaksC = ["EventDeliverySimulation", "LoopbackCollector"] + delivery.map(\.name)
    if !speaksC.contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())  // what the compiler cannot check shows as `unsafe`
    }
    // The files of a page and of other languages, which CPages or a text embeds.
    if ["EventInspector", "WebBridge"].contains(target.name) { target.exclude = ["Page"] }
    if target.name == "TrackingPlan" { target.exclude = ["Page", "Contract"] }
    // These modules' entries in Apple's privacy report. On Linux, a resource would only link all of Foundation.
    if ["EventDelivery", "EventOutbox"].contains(target.name) {
        #if os(Linux)
        target.exclude = ["PrivacyInfo.xcprivacy"]
        #else
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
        #endif
    }
    // The statements and the configuration of the receiver.
    if target.name == "AwesomeTracking" { target.exclude = ["ClickHouse"] }
    if target.name == "TrackingServer" { target.exclude = ["Container"] }
}

/// A module or an app, with its tests.
///
/// Folder, target and import name are the same word.
struct Module {
    var name: String
    /// The modules that its code imports.
    var imports: [String]
    /// The modules that its tests import beyond the module and its own imports; `nil` if it has no tests.
    var tests: [String]?
    /// The folders of the tests that are targets of their own, so they are compiled at the same time.
    var testParts: [String] = []
    /// Whether there is a folder of golden files beside the tests.
    var hasFixtures = false
    var isApp = false

    func targets(on shelf: String) -> [Target] {
        let locks = imports.contains("Locks") || name == "Locks" ? [] : ["Locks"]  // for any app and any test
        let target: Target =
            isApp
            ? .executableTarget(name: name, dependencies: (imports + locks).map(dependency), path: "Apps/\(name)")
            : .target(name: name, dependencies: imports.map(dependency), path: "Modules/\(shelf)/\(name)")
        guard let tests, testedModules?.contains(name) ?? true else { return [target] }
        let path = "Tests/\(shelf)/\(name)Tests"
        let dependencies = ([name] + imports + locks + tests).map(dependency)
        let test = Target.testTarget(
            name: "\(name)Tests",
            dependencies: dependencies,
            path: path,
            exclude: testParts + (hasFixtures ? ["Fixtures"] : [])
        )
        let parts = testParts.map { part in
            Target.testTarget(name: "\(name)\(part)Tests", dependencies: dependencies, path: "\(path)/\(part)")
        }
        return [target, test] + parts
    }

    private func dependency(_ name: String) -> Target.Dependency {
        // Apple's platforms have a transport of their own.
        .byName(name: name, condition: name == "CCurl" ? .when(platforms: [.linux]) : nil)
    }

    /// A module of the library itself.
    static func module(
        _ name: String,
        _ imports: [String],
        tests: [String] = [],
        testParts: [String] = [],
        hasFixtures: Bool = false
    ) -> Module {
        Module(name: name, imports: imports, tests: tests, testParts: testParts, hasFixtures: hasFixtures)
    }

    /// A module that services, product trackers and features may import beyond those that each of them imports.
    ///
    /// It is closed, so the manifest does not compile if a feature names a service or a module of the engine.
    enum Common: String {
        case analytics = "Analytics"
        case foundationParameters = "FoundationParameters"
        case locks = "Locks"
        case multiTracker = "MultiTracker"
        case timedEvents = "TimedEvents"
    }

    /// A part of the engine that most apps do not need, in a module of its own, and the options below it.
    static func option(
        _ name: String,
        over options: [String] = [],
        uses others: [Common] = [],
        tests: [String] = []
    ) -> Module {
        .module(
            name,
            ["CoreTracker", "EventDelivery", "EventTracking"] + options + others.map(\.rawValue),
            tests: ["EventDeliveryTesting"] + tests
        )
    }

    /// A service with golden files of its wire format, and the modules that it shares with other services.
    static func service(
        _ name: String,
        over shared: [String] = [],
        uses others: [Common] = [],
        tests: [String] = []
    ) -> Module {
        .module(
            name,
            ["CoreTracker", "EventDelivery", "EventTracking"] + shared + others.map(\.rawValue),
            tests: ["CoreTrackerTesting", "EventDeliveryTesting"] + tests,
            hasFixtures: true
        )
    }

    /// A service that is registered as one of several vendors.
    static func vendor(
        _ name: String,
        over shared: [String] = [],
        uses others: [Common] = [],
        tests: [String] = []
    ) -> Module {
        .service(name, over: shared, uses: [.multiTracker] + others, tests: ["LoopbackCollector"] + tests)
    }

    /// A product's tracker, whose tests deliver with the engine.
    static func product(_ name: String, uses others: [Common] = []) -> Module {
        .module(
            name,
            ["CoreTracker", "EventTracking"] + others.map(\.rawValue),
            tests: ["CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting"]
        )
    }

    /// A feature of a product.
    static func feature(_ name: String, of product: String, uses others: [Common] = []) -> Module {
        .module(name, ["CoreTracker", product] + others.map(\.rawValue), tests: ["CoreTrackerTesting"])
    }

    /// An executable.
    static func app(_ name: String, _ imports: [String], tests: [String]? = nil) -> Module {
        Module(name: name, imports: imports, tests: tests, isApp: true)
    }
}
