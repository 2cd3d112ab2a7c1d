import EventDelivery
import Foundation
import Testing

@testable import AwesomeTracking

@Suite struct ClickHouseConfigurationTests {
    @Test(arguments: [1, 2, 65_535]) func `each row has the number of the tracking plan`(number: Int) throws {
        let destination = try ClickHouseDestination.stub(.stub(schema: number))

        let row = try destination.encoded(.stub()).row

        #expect(row.contains(#""app_version":"4.2.0","schema":\#(number),"props":"#))
    }

    @Test(arguments: [0, -1, 65_536, .max]) func `a number that the column cannot hold is refused`(number: Int) {
        #expect(throws: ConfigurationError.invalidValue(field: "schema", expected: "from 1 to 65,535")) {
            try ClickHouseConfiguration.stub(schema: number)
        }
    }

    @Test(arguments: ["a", "_", "events_2", "Events", String(repeating: "x", count: 200)])
    func `identifiers of letters, digits and underscores are accepted`(name: String) throws {
        let configuration = try ClickHouseConfiguration.stub(database: name, table: name)

        #expect(configuration.table == name)
        #expect(configuration.database == name)
    }

    @Test(arguments: ["", "1a", "a.b", "a b", "a;DROP TABLE b", "ä", "a`", "a-b", "a\n"])
    func `other identifiers are refused`(name: String) {
        let expected = "letters, digits and underscores, and no digit first"

        #expect(throws: ConfigurationError.invalidValue(field: "table", expected: expected)) {
            try ClickHouseConfiguration.stub(table: name)
        }
        #expect(throws: ConfigurationError.invalidValue(field: "database", expected: expected)) {
            try ClickHouseConfiguration.stub(database: name)
        }
    }

    @Test(arguments: ["user=x", "password=x", "a=1&user=x"])
    func `credentials in the query are refused`(query: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "endpoint",
                expected: "without user and password in its query"
            )
        ) {
            try ClickHouseConfiguration.stub(endpoint: "https://collector.example/?\(query)")
        }
    }

    @Test func `a password needs a user`() {
        #expect(throws: ConfigurationError.invalidValue(field: "user", expected: "set with a password")) {
            try ClickHouseConfiguration.stub(password: "p")
        }
    }

    @Test func `a token and a user exclude each other`() {
        #expect(throws: ConfigurationError.invalidValue(field: "token", expected: "set without a user")) {
            try ClickHouseConfiguration.stub(user: "u", token: "t")
        }
    }

    @Test func `credentials and header names that would break a request are refused`() {
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-ClickHouse-User")) {
            try ClickHouseConfiguration.stub(user: "a\r\nX: y")
        }
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-ClickHouse-Key")) {
            try ClickHouseConfiguration.stub(user: "a", password: "p\nq")
        }
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "Authorization")) {
            try ClickHouseConfiguration.stub(token: "t\r\nX: y")
        }
        #expect(throws: ConfigurationError.invalidHeaderName) {
            try ClickHouseConfiguration.stub(idempotencyHeader: "Idempotency Key")
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8123", "http://127.0.0.1:8123/"), ("https://h.example/in", "https://h.example/in"),
    ])
    func `an endpoint without a path gets the root`(given: String, used: String) throws {
        let configuration = try ClickHouseConfiguration.stub(endpoint: given)

        #expect(configuration.endpoint.url.absoluteString == used)
    }

    @Test(arguments: [("s3cret-user", "s3cret", nil), (nil, nil, "s3cret-token")] as [(String?, Secret?, Secret?)])
    func `no description shows a credential`(user: String?, password: Secret?, token: Secret?) throws {
        let configuration = try ClickHouseConfiguration.stub(
            endpoint: "https://relay.example/in?key=s3cret",
            user: user,
            password: password,
            token: token
        )
        let destination = ClickHouseDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(configuration, to: &dumped)
        dump(destination, to: &dumped)
        dump([destination], to: &dumped)

        let texts = [
            String(describing: configuration), String(reflecting: configuration), "\([configuration])",
            String(describing: destination), String(reflecting: destination), "\([destination])", dumped,
        ]
        #expect(texts.allSatisfy { !$0.contains("s3cret") })
        #expect(texts.allSatisfy { $0.contains("relay.example") })
    }
}
