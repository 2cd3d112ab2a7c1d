extension AwesomeTrackingClient {
    /// The platform that this code was built for, as AwesomeTracking spells it.
    public static let platform: String = {
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
