// swift-tools-version: 6.2
import PackageDescription

// The code of the page on servers, compiled against stand-ins for the declarations that it uses of these packages:
// swift-service-lifecycle 2.11.0, Hummingbird 2.26.0, Vapor 4.122.0, swift-log 1.14.0 and SwiftNIO. A stand-in has the
// same declarations and no network.
func ours(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "ModularEventTracker") }
}

let package = Package(
    name: "Servers",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(name: "Logging", path: "StandIns/Logging"),
        .target(name: "NIOCore", path: "StandIns/NIOCore"),
        .target(name: "UnixSignals", path: "StandIns/UnixSignals"),
        .target(name: "ServiceLifecycle", dependencies: ["Logging", "UnixSignals"], path: "StandIns/ServiceLifecycle"),
        .target(
            name: "Hummingbird",
            dependencies: ["Logging", "ServiceLifecycle", "UnixSignals"],
            path: "StandIns/Hummingbird"
        ),
        .target(name: "Vapor", dependencies: ["NIOCore"], path: "StandIns/Vapor"),
        .target(
            name: "HummingbirdServer",
            dependencies: ["Hummingbird", "Logging", "ServiceLifecycle"] + ours("EventDelivery")
        ),
        .target(name: "VaporServer", dependencies: ["Vapor"] + ours("EventDelivery")),
        .testTarget(
            name: "ServersTests",
            dependencies: ["Hummingbird", "HummingbirdServer", "Logging", "ServiceLifecycle", "Vapor", "VaporServer"]
                + ours("AwesomeTracking", "CoreTracker", "EventDelivery", "EventDeliveryTesting")
        ),
    ]
)
for target in package.targets { target.swiftSettings = [.swiftLanguageMode(.v6)] }
