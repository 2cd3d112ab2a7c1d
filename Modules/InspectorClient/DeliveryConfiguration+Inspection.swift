public import EventDelivery

extension DeliveryConfiguration {
    /// Lets an event inspector see what only this app knows: for debug builds, in one line before the engine is opened.
    ///
    /// The engine reports each event with its own parameters and the defaults; refused, changed, held, pending,
    /// quarantined and dropped events; each response and its meaning; the ledger of each lane. Of an event that waits
    /// for consent it reports the name, the id and the time only. Reports use this configuration's transport, and
    /// `track` does no additional work. If no inspector responds, reports are lost and the delivery goes on.
    ///
    /// - Parameters:
    ///   - link: The link that the inspector has printed, with its token.
    ///   - engine: The engine that is opened with this configuration.
    ///   - allowsOtherMachines: Whether the link may name a host other than the loopback address. Reports carry events
    ///     with all parameters, and over `http` anyone on the network can read them.
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
