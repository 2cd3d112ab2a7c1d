import Foundation
import HTTPTransport
import Testing

@Suite struct HTTPRequestDescriptionTests {
    @Test func `a request's description contains the host and no secrets`() throws {
        let url = try #require(URL(string: "https://collector.example/hush?key=hush"))
        let request = HTTPRequest(
            url: url,
            headers: [try HTTPHeader("Authorization", "hush")],
            body: Array("hush".utf8)
        )
        var dumped = ""

        dump(request, to: &dumped)

        #expect("\(request)" == "POST https://collector.example")
        #expect(!String(reflecting: request).contains("hush"))
        #expect(!dumped.contains("hush"))
    }
}
