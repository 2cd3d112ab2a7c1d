public import EventDelivery

/// An HTTP source of Sumo Logic: its address, which is the secret, and the metadata of its lines.
public struct SumoConfiguration: Sendable {
    /// The source's address.
    ///
    /// Any client that has it can write to the source.
    let endpoint: Endpoint
    /// The metadata that Sumo Logic stores with each line.
    let metadata: SumoMetadata?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The address that Sumo Logic shows for the source.
    ///   - metadata: The metadata that Sumo Logic stores with each line.
    public init(endpoint: Endpoint, metadata: SumoMetadata? = nil) {
        self.endpoint = endpoint
        self.metadata = metadata
    }
}

extension SumoConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(endpoint)/‹redacted›" }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": description]) }
}
