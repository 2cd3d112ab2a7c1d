// swift-tools-version: 6.2
import PackageDescription

let curl = Target.Dependency.byName(name: "CCurl", condition: .when(platforms: [.linux]))  // Apple has its own

let package = Package(
    name: "ModularEventTracker",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [],
    targets: [
        // MARK: Core
        .module("CoreTracker"),
        .module("MultiTracker", ["CoreTracker"]),

        // MARK: Delivery
        .systemLibrary(name: "CCurl", path: "Modules/CCurl"),
        .systemLibrary(name: "CSQLite", path: "Modules/CSQLite"),
        .systemLibrary(name: "CZlib", path: "Modules/CZlib"),
        .module("EventDelivery", ["CoreTracker", "EventOutbox", "HTTPTransport"]),
        .module("EventOutbox", ["CoreTracker", "CSQLite", "CZlib"]),
        .module("HTTPTransport", [curl, "CoreTracker", "CZlib"]),

        // MARK: App edge
        .module("AppTracking", ["CoreTracker", "EventDelivery"]),

        // MARK: Services
        .module("AdobeTracker", ["CoreTracker", "EventDelivery", "MultiTracker"]),
        .module("AwesomeTracking", ["CoreTracker", "EventDelivery"]),
        .module("BrazeTracker", ["CoreTracker", "EventDelivery", "MultiTracker"]),
        .module("FirebaseTracking", ["CoreTracker", "EventDelivery"]),
        .module("GoogleAnalytics", ["CoreTracker", "EventDelivery"]),
        .module("SumoTracker", ["CoreTracker", "EventDelivery", "MultiTracker"]),

        // MARK: Product trackers
        .module("DLTracker", ["AwesomeTracking", "CoreTracker", "EventDelivery", "FirebaseTracking"]),
        .module("SFTracker", ["AwesomeTracking", "CoreTracker", "EventDelivery", "FirebaseTracking", "MultiTracker"]),
        .module("TYTracker", ["AwesomeTracking", "CoreTracker", "EventDelivery", "FirebaseTracking"]),

        // MARK: Features
        .module("DLCheckout", ["CoreTracker", "DLTracker"]),
        .module("DLListing", ["CoreTracker", "DLTracker"]),
        .module("DLProductDetail", ["CoreTracker", "DLTracker", "MultiTracker"]),
        .module("SFGame", ["CoreTracker", "MultiTracker", "SFTracker"]),
        .module("SFLeaderboard", ["CoreTracker", "MultiTracker", "SFTracker"]),
        .module("TYCheckout", ["CoreTracker", "TYTracker"]),
        .module("TYProductDetail", ["CoreTracker", "TYTracker"]),

        // MARK: Testing
        .module(
            "AdapterTesting",
            [
                "AdobeTracker", "BrazeTracker", "CoreTracker", "CoreTrackerTesting", "EventDelivery",
                "FirebaseTracking", "GoogleAnalytics",
            ]
        ),
        .module("CoreTrackerTesting", ["CoreTracker", "MultiTracker"]),
        .module("EventDeliveryTesting", ["CoreTracker", "EventDelivery", "LoopbackCollector", "MultiTracker"]),
        .module("EventInspector", ["LoopbackCollector"]),
        .module("InspectorClient", ["CoreTracker", "EventDelivery"]),
        .module("LoopbackCollector", ["CZlib"]),
        .module("TrackingPlan", ["CoreTracker", "EventDelivery"]),

        // MARK: Apps
        .app(
            "DeliveryFuzz",
            ["CSQLite", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "EventOutbox", "LoopbackCollector"]
        ),
        .app("DeliveryProducer", ["CSQLite", "CoreTracker", "EventDelivery", "EventDeliveryTesting"]),
        .app("DeliverySoak", ["CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]),
        .app(
            "TrackerBenchmark",
            [
                "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "DLProductDetail", "DLTracker", "EventDelivery",
                "FirebaseTracking", "LoopbackCollector", "MultiTracker",
            ]
        ),
        .app(
            "TrackerDemo",
            [
                "AdobeTracker", "AwesomeTracking", "BrazeTracker", "CoreTracker", "DLCheckout", "DLListing",
                "DLProductDetail", "DLTracker", "EventDelivery", "EventInspector", "FirebaseTracking",
                "GoogleAnalytics", "InspectorClient", "LoopbackCollector", "MultiTracker", "SFGame", "SFLeaderboard",
                "SFTracker", "SumoTracker", "TYCheckout", "TYProductDetail", "TYTracker",
            ]
        ),
        .app(
            "TrackingPlanTool",
            [
                "AdobeTracker", "AwesomeTracking", "BrazeTracker", "CoreTracker", "DLCheckout", "DLListing",
                "DLProductDetail", "DLTracker", "EventDelivery", "FirebaseTracking", "LoopbackCollector", "SFGame",
                "SFLeaderboard", "SFTracker", "SumoTracker", "TYCheckout", "TYProductDetail", "TYTracker",
                "TrackingPlan",
            ]
        ),

        // MARK: Tests
        .tests(
            "AdapterTesting",
            ["AdobeTracker", "BrazeTracker", "CoreTracker", "EventDelivery", "FirebaseTracking", "GoogleAnalytics"]
        ),
        .tests("AppTracking", ["CoreTracker", "EventDelivery", "EventDeliveryTesting"]),
        .tests(
            "AwesomeTracking",
            ["CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting"],
            exclude: ["Fixtures"]
        ),
        .tests(
            "AdobeTracker",
            [
                "AdapterTesting", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector",
                "MultiTracker",
            ],
            exclude: ["Fixtures"]
        ),
        .tests(
            "BrazeTracker",
            [
                "AdapterTesting", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector",
                "MultiTracker",
            ],
            exclude: ["Fixtures"]
        ),
        .tests("CoreTracker", ["CoreTrackerTesting"]),
        .tests("CoreTrackerTesting", ["CoreTracker", "MultiTracker"]),
        .tests("DLCheckout", ["CoreTracker", "CoreTrackerTesting", "DLTracker"]),
        .tests("DLListing", ["CoreTracker", "CoreTrackerTesting", "DLTracker"]),
        .tests(
            "DLProductDetail",
            ["CoreTracker", "CoreTrackerTesting", "DLTracker", "EventDelivery", "EventDeliveryTesting"]
        ),
        .tests(
            "DLTracker",
            [
                "AdapterTesting", "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "EventDelivery",
                "EventDeliveryTesting", "FirebaseTracking",
            ]
        ),
        .tests(
            "EventDelivery",
            [
                "CSQLite", "CoreTracker", "CoreTrackerTesting", "DeliveryProducer", "EventDeliveryTesting",
                "EventOutbox", "LoopbackCollector",
            ]
        ),
        .tests("EventDeliveryTesting", ["CoreTracker", "EventDelivery", "MultiTracker"]),
        .tests("EventInspector", ["LoopbackCollector"]),
        .tests("EventOutbox", ["CSQLite", "CoreTracker", "EventDeliveryTesting"], exclude: ["Fixtures"]),
        .tests(
            "FirebaseTracking",
            [
                "AdapterTesting", "CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting",
                "LoopbackCollector",
            ],
            exclude: ["Fixtures"]
        ),
        .tests(
            "GoogleAnalytics",
            ["AdapterTesting", "CoreTracker", "EventDelivery", "EventDeliveryTesting"],
            exclude: ["Fixtures"]
        ),
        .tests("HTTPTransport", [curl, "CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]),
        .tests("InspectorClient", ["CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector"]),
        .tests("LoopbackCollector", []),
        .tests("MultiTracker", ["CoreTracker", "CoreTrackerTesting"]),
        .tests("SFGame", ["CoreTracker", "CoreTrackerTesting", "SFTracker"]),
        .tests("SFLeaderboard", ["CoreTracker", "CoreTrackerTesting", "SFTracker"]),
        .tests(
            "SFTracker",
            [
                "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting",
                "FirebaseTracking", "MultiTracker",
            ]
        ),
        .tests(
            "SumoTracker",
            ["CoreTracker", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector", "MultiTracker"],
            exclude: ["Fixtures"]
        ),
        .tests(
            "TrackerBenchmark",
            ["AwesomeTracking", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "FirebaseTracking"]
        ),
        .tests(
            "TrackerDemo",
            [
                "CoreTracker", "CoreTrackerTesting", "DLTracker", "EventDelivery", "EventDeliveryTesting",
                "LoopbackCollector", "SFGame", "TYTracker",
            ]
        ),
        .tests("TYCheckout", ["CoreTracker", "CoreTrackerTesting", "TYTracker"]),
        .tests("TYProductDetail", ["CoreTracker", "CoreTrackerTesting", "TYTracker"]),
        .tests(
            "TYTracker",
            [
                "AwesomeTracking", "CoreTracker", "CoreTrackerTesting", "EventDelivery", "EventDeliveryTesting",
                "FirebaseTracking",
            ]
        ),
        .tests(
            "TrackingPlan",
            [
                "AdobeTracker", "AwesomeTracking", "BrazeTracker", "CoreTracker", "EventDelivery", "FirebaseTracking",
                "SumoTracker",
            ]
        ),
        .tests(
            "TrackingPlanTool",
            ["CoreTracker", "DLCheckout", "EventDelivery", "EventDeliveryTesting", "LoopbackCollector", "TrackingPlan"]
        ),
    ]
)

// Every module that a feature team or an app imports is a library product of its own.
package.products = package.targets.filter { $0.type == .regular }
    .map { .library(name: $0.name, targets: [$0.name]) }

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),  // data-race safety is checked by the compiler
        .enableUpcomingFeature("ExistentialAny"),  // a dynamic call shows as `any`
        .enableUpcomingFeature("InternalImportsByDefault"),  // a dependency leaks only where it says so
        .enableUpcomingFeature("MemberImportVisibility"),  // a member needs its module's import
        .enableUpcomingFeature("InferIsolatedConformances"),  // a presenter's conformance follows its actor
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // async code stays with its caller
    ]
    if !["EventDelivery", "EventOutbox", "HTTPTransport", "LoopbackCollector"].contains(target.name) {  // they speak C
        target.swiftSettings?.append(.strictMemorySafety())  // what the compiler cannot check shows as `unsafe`
    }
    // What these tell Apple's privacy report about themselves.
    if ["EventDelivery", "EventOutbox"].contains(target.name) { target.resources = [.copy("PrivacyInfo.xcprivacy")] }
}

extension Target {
    /// A module: folder `Modules/<name>`, target and import name are the same word.
    static func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, path: "Modules/\(name)")
    }

    /// An executable in `Apps/<name>`.
    static func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "Apps/\(name)")
    }

    /// The tests of a module, in `Tests/<module>Tests`, with what they import beyond it.
    static func tests(_ module: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
        let all = [.byName(name: module)] + dependencies
        return .testTarget(name: "\(module)Tests", dependencies: all, path: "Tests/\(module)Tests", exclude: exclude)
    }
}
