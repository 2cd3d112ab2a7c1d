public import EventDelivery

extension DeliveryConfiguration {
    /// Lets an event inspector see what only this app knows: for debug builds, in one line before the engine is opened.
    ///
    /// What is reported: each event as it is tracked, with its own parameters and the defaults; what is refused,
    /// changed, held, pending, quarantined and dropped; each answer and what it means; the ledger of each lane. Reports
    /// go over this configuration's transport, beside the events; `track` does nothing more than without them. Where
    /// no inspector answers, reports are given up and the delivery goes on.
    ///
    /// - Parameters:
    ///   - link: The link that the inspector has printed, with its token.
    ///   - engine: The engine that is opened with this configuration.
    public func inspected(
        at link: String,
        of engine: DeliveryEngine = .shared
    ) throws(ConfigurationError) -> DeliveryConfiguration {
        let reporter = InspectionReporter(to: try InspectorAddress(link), over: transport)
        var configuration = self
        configuration.destinations = destinations.map { InspectedDestination($0, reporter: reporter) }
        reporter.start(watching: engine)
        return configuration
    }
}
