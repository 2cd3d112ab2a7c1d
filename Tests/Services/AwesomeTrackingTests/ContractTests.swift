import AwesomeTracking
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ClickHouseContractTests {
    @Test(arguments: DestinationContract.checks)
    func `ClickHouse's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let configuration = try ClickHouseConfiguration.stub(
            user: "tracker",
            password: "p4ssw0rd",
            server: .modern,
            idempotencyHeader: "Idempotency-Key"
        )
        let refusal = HTTPResponse(status: 500, body: Array("Code: 27. DB::Exception: Cannot parse (at row 2)".utf8))
        let subject = DestinationContract.Subject(
            try ClickHouseDestination.stub(configuration),
            bodies: [
                .init(
                    "several-events.ndjson",
                    of: GoldenBody.severalEvents.events,
                    is: try Fixture.text("several-events.ndjson")
                )
            ],
            statuses: [
                200: .delivered, 302: .paused(.intercepted), 400: .refused("status 400"), 401: .paused(.credentials),
                403: .paused(.credentials), 404: .paused(.endpoint), 411: .paused(.protocolMismatch),
                413: .tooLarge, 429: .retry(after: nil), 500: .retry(after: nil), 503: .retry(after: nil),
            ],
            responses: [.init(refusal, means: .refused("code 27"))],
            secrets: ["p4ssw0rd"]
        )

        try await check.run(subject)
    }
}

@Suite(.timeLimit(.minutes(5))) struct OTLPContractTests {
    @Test(arguments: DestinationContract.checks)
    func `OTLP's destination keeps the contract`(check: DestinationContract.Check) async throws {
        let rejecting = HTTPResponse(status: 200, body: Array(#"{"partialSuccess":{"rejectedLogRecords":"1"}}"#.utf8))
        let subject = DestinationContract.Subject(
            try OTLPDestination.stub(.stub(authorization: "Bearer p4ssw0rd")),
            acknowledgement: HTTPResponse(status: 200, body: Array("{}".utf8)),
            bodies: [
                .init(
                    "several-events.json",
                    of: GoldenBody.severalEvents.events,
                    is: try Fixture.text("several-events.json")
                )
            ],
            statuses: [
                200: .delivered, 302: .paused(.intercepted), 400: .refused("status 400"), 401: .paused(.credentials),
                403: .paused(.credentials), 404: .paused(.endpoint), 408: .suspect("status 408"), 413: .tooLarge,
                415: .paused(.protocolMismatch), 429: .retry(after: nil), 500: .suspect("status 500"),
                502: .retry(after: nil), 503: .retry(after: nil), 504: .retry(after: nil),
            ],
            responses: [.init(rejecting, means: .partial([0: .dropped("rejected_by_receiver")]))],
            secrets: ["p4ssw0rd"]
        )

        try await check.run(subject)
    }
}
