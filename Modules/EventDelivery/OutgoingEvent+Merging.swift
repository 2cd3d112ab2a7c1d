package import CoreTracker

extension OutgoingEvent {
    /// Visits what ``mergedParameters`` holds, without building it: the event's own, then the other defaults.
    package func forEachParameter(_ visit: (EventParameters.Element) -> Void) {
        for parameter in parameters { visit(parameter) }
        for parameter in defaults where !parameters.contains(where: { $0.key == parameter.key }) { visit(parameter) }
    }
}
