import CoreTracker
import EventDelivery
import EventDeliveryTesting
import GoogleAnalytics
import Testing

@Suite struct WebStreamContractTests {
    @Test func `a web stream's destination keeps the contract`() async throws {
        let secret: Secret = "se-cret_1"
        let stream = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: secret)
        let contract = DestinationContract(
            WebStreamDestination(product: "DL", configuration: stream),
            acknowledgement: HTTPResponse(status: 204),
            sendsEventIDs: false,
            bodies: [.init("web-stream-minimal.json", of: [.stub()], is: try Fixture.text("web-stream-minimal.json"))],
            limits: [
                .init("name_too_long", at: 40) { .stub(name: String(repeating: "n", count: $0)) },
                .init("key_too_long", at: 40) {
                    .stub(parameters: [ParameterKey(String(repeating: "k", count: $0)): 1])
                },
                .init("value_too_long", at: 100) {
                    .stub(parameters: ["x": .string(String(repeating: "v", count: $0))])
                },
                .init("too_many_parameters", at: 23) { .stub(parameters: .numbered($0)) },
                .init("user_id_invalid", at: 256) {
                    .stub(identity: .stub(userID: String(repeating: "u", count: $0)))
                },
            ],
            statuses: [
                200: .delivered, 204: .delivered, 302: .paused(.intercepted), 401: .paused(.credentials),
                403: .paused(.credentials), 404: .paused(.endpoint), 413: .tooLarge, 429: .retry(after: nil),
                500: .retry(after: nil), 503: .retry(after: nil),
            ],
            secrets: [secret.value]
        )

        try await contract.check()
    }
}
