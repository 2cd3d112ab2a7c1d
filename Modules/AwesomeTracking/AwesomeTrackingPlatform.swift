/// The platforms as AwesomeTracking spells them.
public enum AwesomeTrackingPlatform {
    /// The platform that this code was built for.
    public static let current: String = {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #elseif os(Linux)
        "linux"
        #else
        "other"
        #endif
    }()
}
