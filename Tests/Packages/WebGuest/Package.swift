// swift-tools-version: 6.2
import PackageDescription

// A mini app with one page and one event, and its host, which reads the page's messages from its standard input.
func ours(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "ModularEventTracker") }
}

let package = Package(
    name: "WebGuest",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .executableTarget(
            name: "WebGuest",
            dependencies: ours("AwesomeTracking", "CoreTracker", "EventDelivery", "EventDeliveryTesting", "WebBridge"),
            exclude: ["Guest"]
        )
    ]
)
