import EventDelivery
import Testing

@testable import SumoTracker

@Suite struct SumoMetadataTests {
    @Test func `values become headers, and fields are in the order of their keys`() throws {
        let metadata = try SumoMetadata(category: "mobile/ios", name: "app", fields: ["b": "2", "a": "1"])

        #expect(metadata.headers.map(\.name) == ["X-Sumo-Category", "X-Sumo-Name", "X-Sumo-Fields"])
        #expect(metadata.headers.map(\.value) == ["mobile/ios", "app", "a=1,b=2"])
    }

    @Test func `empty metadata has no headers`() throws {
        #expect(try SumoMetadata().headers.isEmpty)
    }

    @Test(arguments: [
        ["a,b": "1"], ["a=b": "1"], ["": "1"], ["a": ""], ["a": "1,2"], ["a": "1=2"],
        [String(repeating: "k", count: 256): "1"], ["a": String(repeating: "v", count: 201)],
        Dictionary(uniqueKeysWithValues: (0...30).map { ("k\($0)", "1") }), ["a": "1\r\n2"],
    ])
    func `a field that contains a separator or exceeds a limit is refused`(fields: [String: String]) {
        #expect(throws: ConfigurationError.self) { try SumoMetadata(fields: fields) }
    }

    @Test func `fields at their limits are taken`() throws {
        let long = [String(repeating: "k", count: 255): String(repeating: "v", count: 200)]

        #expect(try SumoMetadata(fields: long).headers.count == 1)
        #expect(
            try SumoMetadata(fields: .init(uniqueKeysWithValues: (1...30).map { ("k\($0)", "1") })).headers.count == 1
        )
    }
}
