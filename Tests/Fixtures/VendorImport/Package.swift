// swift-tools-version: 6.2
import PackageDescription

// A feature that imports a vendor, which its product's tracker does not bring along.
let package = Package(
    name: "VendorImport",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "ModularEventTracker", path: "../../..")],
    targets: [
        .target(
            name: "Feature",
            dependencies: [.product(name: "DolapLite", package: "ModularEventTracker")],
            path: "Feature"
        )
    ]
)
