import AppTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct AppContextTests {
    @Test func `the context of this process has a value for each parameter`() {
        let parameters = AppContext.current.parameters

        #expect(parameters.map(\.key.name) == ["os_name", "os_version", "device_model", "language"])
        for parameter in parameters { #expect(parameter.value != .string("")) }
    }

    @Test func `an event has the time of visits since the last one, at least a millisecond`() {
        let (clock, mock) = (TestClock(), MockFirebaseService())
        let engine = DeliveryEngine(clock: clock)
        let app = AppDelivery(on: engine, backgroundTask: NoTask(), environment: [:])
        let service = EngagedFirebaseService(mock, on: engine)
        func track() { service.track(FirebaseEvent("viewed")) }

        clock.advance(by: .seconds(5))
        track()  // before the first visit
        app.receive(.becameActive)
        clock.advance(by: .microseconds(1_500_400))
        track()
        clock.advance(by: .microseconds(700))
        app.receive(.enteredBackground)
        clock.advance(by: .seconds(60))
        track()  // in the background
        app.receive(.becameActive)
        clock.advance(by: .milliseconds(250))
        track()
        service.track(FirebaseEvent("own", ["engagement_time_msec": 7]))

        let times = mock.events.map { $0.parameters["engagement_time_msec"] }
        #expect(times == [1, 1_500, 1, 250, 7])
    }
}

private struct NoTask: BackgroundTask {
    func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) {}
}
