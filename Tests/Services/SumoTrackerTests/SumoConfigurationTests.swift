import EventDelivery
import EventDeliveryTesting
import SumoTracker
import Testing

@Suite struct SumoConfigurationTests {
    private static let address = "https://collectors.sumologic.com/receiver/v1/http/hush-hush=="

    @Test(arguments: [
        "", "hush-hush-hush==", "ftp://h.example/hush", "http://h.example/hush", "https://h.example/hush#hush",
    ])
    func `an address of the wrong form is refused and not repeated`(address: String) {
        let error = #expect(throws: ConfigurationError.self) { try Endpoint(address) }

        #expect(error.map { String(describing: $0).contains("hush") } == false)
    }

    @Test func `the address is in no description`() throws {
        let configuration = SumoConfiguration(endpoint: try Endpoint(Self.address))
        let destination = SumoDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush"))
        }
    }

    @Test func `metadata becomes headers`() throws {
        let metadata = try SumoMetadata(
            category: "mobile/ios/tracking",
            host: "ios-app",
            name: "tracking",
            fields: ["environment": "prod", "app_version": "4.2.0"]
        )
        let configuration = SumoConfiguration(endpoint: try Endpoint(Self.address), metadata: metadata)

        let request = try SumoDestination(product: "DL", configuration: configuration).request(carrying: [.stub()])

        #expect(
            request.headers.map { "\($0.name): \($0.value)" } == [
                "Content-Type: application/x-ndjson", "X-Sumo-Category: mobile/ios/tracking", "X-Sumo-Host: ios-app",
                "X-Sumo-Name: tracking", "X-Sumo-Fields: app_version=4.2.0,environment=prod",
            ]
        )
    }

    @Test(arguments: [(255, 200, true), (256, 200, false), (255, 201, false), (0, 1, false), (1, 0, false)])
    func `a field's key and value have limits`(key: Int, value: Int, isTaken: Bool) {
        let metadata = try? SumoMetadata(fields: [
            String(repeating: "k", count: key): String(repeating: "v", count: value)
        ])

        #expect((metadata != nil) == isTaken)
    }

    @Test(arguments: ["a,b", "a=b", "a,\u{301}b", "a=\u{338}b", "a\r\nX-Injected: 1"])
    func `a field that would be read as another is refused`(text: String) {
        #expect(throws: ConfigurationError.self) { try SumoMetadata(fields: ["k": text]) }
        #expect(throws: ConfigurationError.self) { try SumoMetadata(fields: [text: "v"]) }
    }

    @Test(arguments: [(29, true), (30, true), (31, false)])
    func `a request has at most 30 fields`(count: Int, isTaken: Bool) {
        let fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", "v") })

        #expect(((try? SumoMetadata(fields: fields)) != nil) == isTaken)
    }

    @Test func `a category with a line feed is refused`() {
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-Sumo-Category")) {
            try SumoMetadata(category: "a\nb")
        }
    }
}
