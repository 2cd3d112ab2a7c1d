import AdobeTracker
import AwesomeTracking
import BrazeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FirebaseTracking
import Foundation
import FoundationParameters
import GoogleAnalytics
import SumoTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct FoundationParametersTests {
    /// The lines of the page's table: a type, a value and its form.
    private static let rows: [[String]] = {
        let page = URL(filePath: #filePath).appending(
            path: "../../../../Modules/Options/FoundationParameters/FoundationParameters.docc/FoundationParameters.md"
        ).standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }.filter { $0.count == 3 && values[$0[0]] != nil }
    }()

    /// The values of the page's table by their names.
    private static let values: [String: any ParameterRepresentable] = [
        "Decimal": Decimal(sign: .plus, exponent: -2, significand: 3_579),
        "Date": Date(timeIntervalSince1970: 1_772_359_200.123),
        "URL": URL(filePath: "/p/7"),
        "UUID": UUID(uuid: (15, 30, 45, 60, 75, 90, 73, 120, 135, 150, 165, 180, 195, 210, 225, 240)),
        "Float": Float(0.1),
        "Int64": Int64(9_007_199_254_740_993),
        "UInt64": UInt64.max,
        "Duration": Duration.milliseconds(1_234),
    ]

    @Test func `values of Foundation compile in a literal`() {
        let url = URL(filePath: "/p/7")
        let price: Decimal = 35.79
        let event = AwesomeTrackingEvent("product_viewed", ["price": price, "seen_at": Date.now, "page": url])

        #expect(event.parameters["price"] == 35.79)
        #expect(event.parameters["page"] == "file:///p/7")
    }

    @Test func `the page has each type`() {
        #expect(Set(FoundationParametersTests.rows.map { $0[0] }) == Set(FoundationParametersTests.values.keys))
    }

    @Test(arguments: rows)
    func `each service receives the form of the page`(row: [String]) async throws {
        let endpoint = try Endpoint("https://receiver.example")
        let destinations: [any Destination] = [
            ClickHouseDestination(product: "DL", configuration: try ClickHouseConfiguration(endpoint: endpoint)),
            FirebaseDestination(
                product: "DL",
                configuration: try FirebaseConfiguration(endpoint: endpoint, firebaseAppID: "1:1:ios:1", apiSecret: "s")
            ),
            GoogleAnalyticsDestination(
                product: "DL",
                configuration: try GoogleAnalyticsConfiguration(
                    measurementID: "G-ABC1234567",
                    apiSecret: "s",
                    endpoint: endpoint
                )
            ),
            AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1")),
            BrazeDestination(product: "DL", configuration: try BrazeConfiguration(endpoint: endpoint, apiKey: "k-1")),
            SumoDestination(product: "DL", configuration: SumoConfiguration(endpoint: endpoint)),
        ]
        let value = try #require(FoundationParametersTests.values[row[0]])
        for destination in destinations {
            let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())
            try await engine.open(
                DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
            )
            engine.lane(destination.lane).track("viewed", parameters: [EventParameter("value", value.parameterValue)])
            _ = await engine.flush(timeout: .seconds(5))

            let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
            // The in-house row has the parameters as a text.
            #expect(body.replacing("\\", with: "").contains("\"value\":\(row[2])"), "\(destination.lane): \(body)")
        }
    }

    @Test(arguments: [
        ("0.1", 0.1), ("1.15", 1.15), ("-0.07", -0.07), ("123456789012345678901", 1.2345678901234568e20),
    ])
    func `a decimal becomes the nearest number`(text: String, number: Double) throws {
        #expect(try #require(Decimal(string: text)).parameterValue == .double(number))
    }

    @Test func `a decimal or a date that is not a number is a number that encoders leave out and count`() {
        for value in [Decimal.nan.parameterValue, Date(timeIntervalSince1970: .nan).parameterValue] {
            guard case .double(let number) = value else { return #expect(Bool(false), "\(value)") }
            #expect(number.isNaN)
        }
    }

    @Test func `a date beyond the format's years becomes the nearest one`() {
        #expect(Date.distantFuture.parameterValue == "4001-01-01T00:00:00.000Z")
        #expect(Date(timeIntervalSince1970: 1e15).parameterValue == "9999-12-31T23:59:59.999Z")
        #expect(Date(timeIntervalSince1970: -1e300).parameterValue == "0000-01-01T00:00:00.000Z")
        #expect(Date(timeIntervalSince1970: -0.0005).parameterValue == "1969-12-31T23:59:59.999Z")
    }
}
