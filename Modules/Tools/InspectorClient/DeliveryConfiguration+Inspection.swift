public import EventDelivery

extension DeliveryConfiguration {
    /// Returns a configuration that reports its events to an event inspector.
    ///
    /// Use it in debug builds.
    ///
    /// ```swift
    /// if let link { configuration = try configuration.inspected(at: link, of: engine) }
    /// ```
    ///
    /// The engine reports each event with its parameters and the defaults. It reports events that are refused,
    /// adjusted, held, pending, quarantined or dropped. It also reports each response with its result, and the ledger
    /// of each lane. For an event that waits for consent, only the name, the id and the time are reported.
    ///
    /// Reports use the transport of this configuration, and `track` does no additional work. If no inspector responds,
    /// reports are lost and the delivery continues.
    ///
    /// - Parameters:
    ///   - link: The link that the inspector printed, with its token.
    ///   - engine: The engine that will be opened with this configuration.
    ///   - allowsOtherMachines: Whether the link may name a host other than the loopback address. Reports contain
    ///     events with all parameters, and over `http` anyone on the network can read them.
    /// - Returns: The new configuration.
    /// - Throws: `ConfigurationError` if the link has no token, or if it names another machine without permission.
    public func inspected(
        at link: String,
        of engine: DeliveryEngine = .shared,
        allowsOtherMachines: Bool = false
    ) throws(ConfigurationError) -> DeliveryConfiguration {
        let address = try InspectorAddress(link, allowsOtherMachines: allowsOtherMachines)
        let reporter = InspectionReporter(to: address, over: transport)
        var configuration = self
        configuration.destinations = destinations.map { InspectedDestination($0, reporter: reporter) }
        reporter.start(watching: engine)
        return configuration
    }
}
