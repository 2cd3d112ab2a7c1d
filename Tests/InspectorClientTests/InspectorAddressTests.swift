import EventDelivery
import Foundation
import Testing

@testable import InspectorClient

@Suite struct InspectorAddressTests {
    @Test func `reports go to the inspector's own path, and the token is in no address`() throws {
        let address = try InspectorAddress("http://127.0.0.1:8123/?token=abc")

        let request = try #require(address.request([7]))

        #expect(request.url.absoluteString == "http://127.0.0.1:8123/inspector/state")
        #expect(request.headers == [try HTTPHeader("Authorization", "Bearer abc")])
        #expect(request.body == [7])
    }

    @Test(arguments: ["", "http://127.0.0.1:8123/", "http://example.com/?token=abc", "nonsense"])
    func `a link without a token, or to another machine in the clear, is refused`(link: String) {
        #expect(throws: ConfigurationError.self) { try InspectorAddress(link) }
    }
}
