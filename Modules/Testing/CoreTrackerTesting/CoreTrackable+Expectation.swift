public import CoreTracker

extension CoreTrackable {
    /// Expects that the event goes to exactly these services, in this order, with the same names and parameters.
    ///
    /// Write the services as in an event: `event.expectServices { FirebaseEvent("view_item", ["item_id": "7"]) }`. A
    /// failure is reported at the caller's line, in Swift Testing and in XCTest. Its message shows the lines that
    /// differ, as in `MockTracker.expect`.
    ///
    /// - Parameters:
    ///   - services: The expected services, one statement for each.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expectServices(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column,
        @EventServiceBuilder _ services: () -> [EventService]
    ) {
        let difference = EventDifference(
            expected: [RecordedEvent(self, services: services()).lines],
            tracked: [RecordedEvent(self).lines]
        )
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(difference.isEmpty ? nil : difference.description)
    }
}
