public import CoreTracker

/// The default parameters of each service.
extension ACSettings {
    /// The default parameters that every event of Acme has in AwesomeTracking.
    public var awesomeTrackingDefaults: EventParameters { [.country(country)] }
}

/// The parameter keys of the default parameters.
extension EventParameter {
    /// The country that the app serves.
    static let country = Key<String>("country")
}
