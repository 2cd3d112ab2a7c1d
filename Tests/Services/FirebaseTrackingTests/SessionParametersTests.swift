import CoreTracker
import EventDelivery
import Testing

@testable import FirebaseTracking

@Suite struct SessionParametersTests {
    @Test(arguments: [
        ("1772359000", "1772359000"), ("1", "1"), ("123456789012345678", "123456789012345678"),
    ])
    func `a session whose id is a positive number is sent unchanged`(id: String, sent: String) throws {
        let event = OutgoingEvent.stub(identity: .stub(sessionID: id))

        let values = try FirebaseDestination.stub().parameters(of: event).values

        #expect(values["session_id"] == sent)
        #expect(values["app_session"] == nil)
    }

    @Test(arguments: [
        "0", "-1", "007", "1.5", "1234567890123456789", "5d2c5b1e-6a52-4b8c-b1b6-d1ac0e1c3cd9", "١٢", "1 ",
        String(repeating: "s", count: 100),
    ])
    func `any other session sends its start in seconds, and its ID in another parameter`(id: String) throws {
        let event = OutgoingEvent.stub(identity: .stub(sessionID: id))

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["session_id"] == "1772359000")
        #expect(values["app_session"] == id)
        #expect(adjustments.isEmpty)
    }

    @Test func `an event without a session has neither of both`() throws {
        let event = OutgoingEvent.stub(identity: .stub(sessionID: ""))

        let values = try FirebaseDestination.stub().parameters(of: event).values

        #expect(values["session_id"] == nil)
        #expect(values["app_session"] == nil)
    }

    @Test func `a session id that is too long is left out and counted`() throws {
        let event = OutgoingEvent.stub(identity: .stub(sessionID: String(repeating: "s", count: 101)))

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["app_session"] == nil)
        #expect(adjustments == ["identifier_too_long": 1])
    }

    @Test(arguments: [Int64.min, -1, 0, 999_999])
    func `a session that began before 1970 still has a positive number`(start: Int64) throws {
        let identity = Identity.stub(sessionID: "s", sessionStart: Timestamp(microseconds: start))

        let values = try FirebaseDestination.stub().parameters(of: .stub(identity: identity)).values

        #expect(values["session_id"] == "1")
    }

    @Test func `the ID of a session takes one of the parameters`() throws {
        let event = OutgoingEvent.stub(
            parameters: EventParameters((0..<22).map { (ParameterKey("p\($0)"), .int($0)) }),
            identity: .stub(sessionID: "s")
        )

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values.count == 25)
        #expect(adjustments == ["too_many_parameters": 1])
    }

    @Test(arguments: ["", "s", "42"])
    func `an event that sets its session itself has at most 25 parameters`(sessionID: String) throws {
        let own = (0..<24).map { (ParameterKey("p\($0)"), ParameterValue.int($0)) }
        let event = OutgoingEvent.stub(
            parameters: EventParameters([("session_id", 42), ("engagement_time_msec", 5)] + own),
            identity: .stub(sessionID: sessionID)
        )

        let (values, _) = try FirebaseDestination.stub().parameters(of: event)

        #expect((24...25).contains(values.count))
    }

    @Test func `an event may set its session and engagement time itself`() throws {
        let event = OutgoingEvent.stub(
            parameters: ["session_id": "42", "engagement_time_msec": 1850],
            identity: .stub(sessionID: "s")
        )

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["session_id"] == "42")
        #expect(values["engagement_time_msec"] == "1850")
        #expect(values["app_session"] == "s")
        #expect(adjustments.isEmpty)
    }

    @Test(arguments: [0, -5, "x", "", 0.0, true, [1], .double(.nan), .double(.infinity)] as [ParameterValue])
    func `a session or engagement time that is no positive number is replaced and counted`(value: ParameterValue) throws
    {
        let event = OutgoingEvent.stub(parameters: ["session_id": value, "engagement_time_msec": value])

        let (values, adjustments) = try FirebaseDestination.stub().parameters(of: event)

        #expect(values["session_id"] == "1772359000")
        #expect(values["engagement_time_msec"] == "1")
        #expect(adjustments == ["automatic_parameter_invalid": 2])
    }
}
