import EventDelivery
import GoogleAnalytics
import Testing

@Suite struct WebStreamConfigurationTests {
    @Test(arguments: ["", "G-", "G-abc", "UA-123", "G-AB C", "G-AB&x=1"])
    func `a measurement id of the wrong form is refused`(id: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "measurementID",
                expected: "\"G-\" followed by capital letters and digits"
            )
        ) { try WebStreamConfiguration(measurementID: id, apiSecret: "secret") }
    }

    @Test(arguments: ["", "hu sh", "hu&sh", "hu\nsh", "hu+sh"])
    func `a secret of the wrong form is refused and not repeated`(secret: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: Secret(secret))
        }

        #expect(error.map { String(describing: $0).contains("hu") } == false)
    }

    @Test func `the secret is in no description`() throws {
        let configuration = try WebStreamConfiguration(measurementID: "G-ABC1234567", apiSecret: "hush-hush")
        let destination = WebStreamDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush-hush"))
        }
    }
}
