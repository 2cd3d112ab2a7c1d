import EventDelivery
import Foundation
import Testing

@testable import InspectorClient

@Suite struct InspectorAddressTests {
    @Test func `reports go to the inspector's own path, and the token is in no address`() throws {
        let address = try InspectorAddress("http://127.0.0.1:8123/?token=abc", allowsOtherMachines: false)

        let request = try #require(address.request([7]))

        #expect(request.url.absoluteString == "http://127.0.0.1:8123/inspector/state")
        let authorization = try HTTPHeader("Authorization", "Bearer abc")
        #expect(request.headers == [authorization, try HTTPHeader("Origin", "http://127.0.0.1:8123")])
        #expect(request.body == [7])
    }

    @Test(arguments: ["", "http://127.0.0.1:8123/", "ftp://127.0.0.1/?token=abc", "nonsense"], [false, true])
    func `a link without a token or a host is refused`(link: String, allowsOtherMachines: Bool) {
        #expect(throws: ConfigurationError.invalidURL) {
            try InspectorAddress(link, allowsOtherMachines: allowsOtherMachines)
        }
    }

    @Test(arguments: ["http://192.168.1.2:8123/?token=abc", "https://example.com/?token=abc"])
    func `a link to another machine requires permission`(link: String) throws {
        let error = ConfigurationError.invalidValue(field: "the inspector's link", expected: "a loopback address")
        #expect(throws: error) {
            try InspectorAddress(link, allowsOtherMachines: false)
        }
        let request = try #require(InspectorAddress(link, allowsOtherMachines: true).request([7]))
        #expect(request.url.absoluteString == link.replacing("?token=abc", with: "inspector/state"))
    }

    @Test(arguments: ["http://localhost:1/?token=a", "http://[::1]:1/?token=a", "https://127.0.0.2:1/?token=a"])
    func `each loopback address is allowed`(link: String) throws {
        let request = try #require(InspectorAddress(link, allowsOtherMachines: false).request([]))

        #expect(request.url.absoluteString == link.replacing("?token=a", with: "inspector/state"))
    }
}
