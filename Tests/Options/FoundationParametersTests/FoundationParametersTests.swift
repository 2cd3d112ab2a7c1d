import CoreTracker
import Foundation
import FoundationParameters
import Testing

@Suite(.timeLimit(.minutes(5))) struct FoundationParametersTests {
    @Test func `values of Foundation compile in a literal`() {
        let url = URL(filePath: "/p/7")
        let price: Decimal = 35.79
        let event = AwesomeTrackingEvent("product_viewed", ["price": price, "seen_at": Date.now, "page": url])

        #expect(event.parameters["price"] == 35.79)
        #expect(event.parameters["page"] == "file:///p/7")
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
