// swift-tools-version: 6.2
import PackageDescription

// An entry for each module, layer by layer: its target, library product and tests follow from its name and its layer.

// MARK: Platform
let platform: [Module] = [
    .module("Locks", ["CLocks"])
]

// MARK: Core
let core: [Module] = [
    .module("Analytics", ["CoreTracker"], tests: ["CoreTrackerTesting"]),
    .module("CoreTracker", ["Locks"], tests: ["CoreTrackerTesting"]),
    .module("MultiTracker", ["CoreTracker", "Locks"], tests: ["CoreTrackerTesting"]),
]

// MARK: Delivery
let delivery: [Module] = [
    .module(
        "EventBuffer",
        ["Analytics", "CoreTracker", "Locks"],
        tests: ["CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting"]
    ),
    .module(
        "EventDelivery",
        ["CoreTracker", "EventBuffer", "EventOutbox", "HTTPTransport", "Locks"],
        tests: [
            "AwesomeTracking", "CSQLite", "CoreTrackerTesting", "DeliveryProducer", "EventDeliveryTesting",
            "LoopbackCollector", "QueueTool",
        ]
    ),
    .module(
        "EventOutbox",
        ["CoreTracker", "CSQLite", "CZlib", "EventBuffer", "Locks"],
        tests: ["EventDeliveryTesting"]
    ),
    .module(
        "HTTPTransport",
        ["CCurl", "CoreTracker", "CZlib", "Locks"],
        tests: ["EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]
    ),
]

// MARK: App edge
let appEdge: [Module] = [
    .module("AppTracking", ["CoreTracker", "EventBuffer", "EventDelivery", "Locks"], tests: ["EventDeliveryTesting"])
]

// MARK: Services
let services: [Module] = [
    .vendor("AdobeTracker", ["Locks"], tests: ["AdapterTesting"]),
    .service("AwesomeTracking", tests: ["CoreTrackerTesting"]),
    .vendor("BrazeTracker", tests: ["AdapterTesting"]),
    .service("FirebaseTracking", tests: ["AdapterTesting", "CoreTrackerTesting", "LoopbackCollector"]),
    .service("GoogleAnalytics", ["Analytics"], tests: ["AdapterTesting"]),
    .vendor("SumoTracker"),
]

// MARK: Product trackers
let products: [Module] = [
    .product("DLTracker", ["Analytics"]),
    .product("SFTracker", ["MultiTracker"]),
    .product("TYTracker"),
]

// MARK: Features
let features: [Module] = [
    .feature("DLCheckout", ["Analytics"]),
    .feature("DLListing", ["Analytics"]),
    .feature("DLProductDetail", ["MultiTracker"]),
    .feature("SFGame", ["MultiTracker"]),
    .feature("SFLeaderboard", ["Locks", "MultiTracker"]),
    .feature("TYCheckout"),
    .feature("TYProductDetail"),
]

// MARK: Testing
let everything = (core + services + products + features).map(\.name) + ["EventBuffer", "EventDelivery"]
let testing: [Module] = [
    .module(
        "AdapterTesting",
        [
            "AdobeTracker", "BrazeTracker", "CoreTracker", "CoreTrackerTesting", "EventBuffer", "EventDelivery",
            "FirebaseTracking",
            "GoogleAnalytics", "Locks",
        ]
    ),
    .module("CoreTrackerTesting", ["Analytics", "CoreTracker", "Locks", "MultiTracker"]),
    .module(
        "EventDeliverySimulation",
        ["CSQLite", "CSimulation", "CoreTracker", "EventBuffer", "EventDelivery", "EventDeliveryTesting", "Locks"]
    ),
    .module(
        "EventDeliveryTesting",
        [
            "CoreTracker", "CoreTrackerTesting", "EventBuffer", "EventDelivery", "Locks", "LoopbackCollector",
            "MultiTracker",
        ]
    ),
    .module("EventInspector", ["Locks", "LoopbackCollector"]),
    .module(
        "InspectorClient",
        ["CoreTracker", "EventBuffer", "EventDelivery", "Locks"],
        tests: ["EventDeliveryTesting", "LoopbackCollector"]
    ),
    .module("LoopbackCollector", ["CZlib", "HTTPTransport", "Locks"]),
    .module("SuperApp", everything + ["LoopbackCollector"], tests: ["CoreTrackerTesting", "EventDeliveryTesting"]),
    .module(
        "TrackingPlan",
        ["CoreTracker", "EventBuffer", "EventDelivery"],
        tests: ["AdobeTracker", "AwesomeTracking", "BrazeTracker", "FirebaseTracking", "SumoTracker"]
    ),
]

// MARK: Apps
let apps: [Module] = [
    .app(
        "DeliveryFuzz",
        [
            "CSQLite", "CoreTracker", "EventBuffer", "EventDelivery", "EventDeliveryTesting", "EventOutbox",
            "LoopbackCollector",
        ]
    ),
    .app(
        "DeliveryProducer",
        ["CSQLite", "CoreTracker", "EventBuffer", "EventDelivery", "EventDeliveryTesting", "InspectorClient"]
    ),
    .app("DeliverySimulator", ["EventDeliverySimulation"]),
    .app("DeliverySoak", ["CoreTracker", "EventBuffer", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]),
    .app("InspectorTool", ["EventInspector", "LoopbackCollector"], tests: []),
    .app(
        "QueueTool",
        ["CoreTracker", "EventBuffer", "EventDelivery", "EventOutbox"],
        tests: ["DeliveryProducer", "EventDeliveryTesting"]
    ),
    .app(
        "TrackerBenchmark",
        [
            "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "DLProductDetail", "DLTracker", "EventBuffer",
            "EventDelivery",
            "FirebaseTracking", "InspectorClient", "LoopbackCollector", "MultiTracker",
        ],
        tests: ["EventDeliveryTesting"]
    ),
    .app(
        "TrackerDemo",
        everything + ["EventInspector", "InspectorClient", "LoopbackCollector", "SuperApp"],
        tests: ["CoreTrackerTesting", "EventDeliveryTesting"]
    ),
    .app(
        "TrackingPlanTool",
        everything + ["EventDeliveryTesting", "LoopbackCollector", "SuperApp", "TrackingPlan"],
        tests: []
    ),
]

// MARK: The package
let modules = platform + core + delivery + appEdge + services + products + features + testing
let package = Package(
    name: "ModularEventTracker",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: modules.map { .library(name: $0.name, targets: [$0.name]) },
    targets: ["CCurl", "CLocks", "CSQLite", "CZlib"].map { .systemLibrary(name: $0, path: "Modules/\($0)") }
        + [.target(name: "CSimulation", path: "Modules/CSimulation", publicHeadersPath: ".")]
        + (modules + apps).flatMap(\.targets)
)

for target in package.targets where target.type != .system && target.name != "CSimulation" {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),  // data-race safety is checked by the compiler
        .enableUpcomingFeature("ExistentialAny"),  // a dynamic call shows as `any`
        .enableUpcomingFeature("InternalImportsByDefault"),  // a dependency leaks only where it says so
        .enableUpcomingFeature("MemberImportVisibility"),  // a member needs its module's import
        .enableUpcomingFeature("InferIsolatedConformances"),  // a presenter's conformance follows its actor
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // async code stays with its caller
    ]
    let speaksC = ["EventDeliverySimulation", "LoopbackCollector"] + delivery.map(\.name)
    if !speaksC.contains(target.name) {
        target.swiftSettings?.append(.strictMemorySafety())  // what the compiler cannot check shows as `unsafe`
    }
    // What these tell Apple's privacy report about themselves. Elsewhere a resource would only bring whole Foundation.
    if ["EventDelivery", "EventOutbox"].contains(target.name) {
        #if os(Linux)
        target.exclude = ["PrivacyInfo.xcprivacy"]
        #else
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
        #endif
    }
}

/// A module or an app, with its tests: folder, target and import name are the same word.
struct Module {
    var name: String
    /// What its code imports.
    var imports: [String]
    /// What its tests import beyond the module and its own imports; `nil` where there are none.
    var tests: [String]?
    /// Whether there is a folder of golden files beside the tests.
    var hasFixtures = false
    var isApp = false

    var targets: [Target] {
        let path = isApp ? "Apps/\(name)" : "Modules/\(name)"
        let locks = imports.contains("Locks") || name == "Locks" ? [] : ["Locks"]  // for any app and any test
        let target: Target =
            isApp
            ? .executableTarget(name: name, dependencies: (imports + locks).map(Module.dependency), path: path)
            : .target(name: name, dependencies: imports.map(Module.dependency), path: path)
        guard let tests else { return [target] }
        let test = Target.testTarget(
            name: "\(name)Tests",
            dependencies: ([name] + imports + locks + tests).map(Module.dependency),
            path: "Tests/\(name)Tests",
            exclude: hasFixtures ? ["Fixtures"] : []
        )
        return [target, test]
    }

    private static func dependency(_ name: String) -> Target.Dependency {
        // Apple's platforms have a transport of their own.
        .byName(name: name, condition: name == "CCurl" ? .when(platforms: [.linux]) : nil)
    }

    /// A module of no layer below.
    static func module(
        _ name: String,
        _ imports: [String] = [],
        tests: [String] = [],
        hasFixtures: Bool = false
    ) -> Module {
        Module(name: name, imports: imports, tests: tests, hasFixtures: hasFixtures)
    }

    /// A service's module, with golden files of its wire format.
    static func service(_ name: String, _ others: [String] = [], tests: [String] = []) -> Module {
        .module(
            name,
            ["CoreTracker", "EventBuffer", "EventDelivery"] + others,
            tests: ["EventDeliveryTesting"] + tests,
            hasFixtures: true
        )
    }

    /// A service that is registered as one of several vendors.
    static func vendor(_ name: String, _ others: [String] = [], tests: [String] = []) -> Module {
        .service(name, ["MultiTracker"] + others, tests: ["LoopbackCollector"] + tests)
    }

    /// A product's tracker.
    static func product(_ name: String, _ others: [String] = [], tests: [String] = []) -> Module {
        let engine = ["EventDelivery", "EventDeliveryTesting"]  // its tests deliver
        return .module(name, ["CoreTracker", "EventBuffer"] + others, tests: ["CoreTrackerTesting"] + engine + tests)
    }

    /// A feature's module, which sees the tracker of the product that its first two letters name.
    static func feature(_ name: String, _ others: [String] = [], tests: [String] = []) -> Module {
        .module(name, ["CoreTracker", "\(name.prefix(2))Tracker"] + others, tests: ["CoreTrackerTesting"] + tests)
    }

    /// An executable.
    static func app(_ name: String, _ imports: [String], tests: [String]? = nil) -> Module {
        Module(name: name, imports: imports, tests: tests, isApp: true)
    }
}
