import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import FoundationParameters
import Testing

/// Tests of the page on parameters of Foundation's types: each form in its table is in the request of each service.
@Suite(.timeLimit(.minutes(5))) struct ParameterFormTests {
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

    @Test func `the page has each type`() {
        #expect(Set(ParameterFormTests.rows.map { $0[0] }) == Set(ParameterFormTests.values.keys))
    }

    @Test(arguments: rows)
    func `each service receives the form of the page`(row: [String]) async throws {
        let value = try #require(ParameterFormTests.values[row[0]])
        for destination in try SixServices.destinations() {
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
}
