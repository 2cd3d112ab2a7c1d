import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Testing

@Suite struct MeasurementProtocolContractTests {
    @Test func `the Measurement Protocol's destination keeps the contract`() async throws {
        let contract = DestinationContract(
            try MeasurementProtocolDestination.stub(),
            sample: Self.sample(),
            acknowledgement: HTTPResponse(status: 204),
            bodies: [.init("purchase.json", of: GoldenBody.purchase.events, is: try Fixture.text("purchase.json"))],
            limits: [
                .init("name_too_long", at: 40) { Self.sample(name: String(repeating: "n", count: $0)) },
                .init("key_too_long", at: 40) { Self.sample([ParameterKey(String(repeating: "k", count: $0)): 1]) },
                .init("value_too_long", at: 100) { Self.sample(["x": .string(String(repeating: "v", count: $0))]) },
            ],
            statuses: [
                200: .delivered, 204: .delivered, 302: .paused(.intercepted), 400: .suspect("status 400"),
                401: .paused(.credentials), 403: .paused(.credentials), 404: .paused(.endpoint), 413: .tooLarge,
                414: .paused(.endpoint), 429: .retry(after: nil), 500: .retry(after: nil), 503: .retry(after: nil),
            ],
            secrets: ["s3cret"]
        )

        try await contract.check()
    }

    private static func sample(name: String = "view_item", _ parameters: EventParameters = [:]) -> OutgoingEvent {
        OutgoingEvent(
            id: EventID(high: 0x0198_C7E2_5F0A_7C31, low: 0x9A55_1F2E_3D4C_5B01),
            name: name,
            parameters: parameters,
            time: Timestamp(microseconds: 1_772_359_200_000_000),
            identity: Identity(
                deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
                sessionID: "1772359000",
                sessionStart: Timestamp(microseconds: 1_772_359_000_000_000)
            ),
            sequence: 1
        )
    }
}
