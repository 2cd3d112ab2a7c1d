public import EventDelivery

/// What an app has to know to send to the in-house receiver: ClickHouse, or a gateway that takes the same body.
public struct ClickHouseConfiguration: Sendable {
    /// Which settings and headers the server knows.
    public enum Server: Sendable, Hashable {
        /// Any release since 18.16, and gateways: rows are deduplicated by their `event_id` alone.
        case portable
        /// A release that takes `insert_deduplication_token`; an older one refuses every request with it.
        case modern
    }

    /// Where rows are inserted; an endpoint without a path stands for `/`.
    public let endpoint: Endpoint
    /// The table's database.
    public let database: String
    /// The table.
    public let table: String
    /// The app's version, a column of every row.
    public let appVersion: String
    /// Which settings the server knows.
    public let server: Server
    /// The header that carries the batch's id, for a gateway that deduplicates by one; `nil` for none.
    public let idempotencyHeader: String?
    /// The headers that carry user and password.
    let credentials: [HTTPHeader]

    /// Creates a configuration, or says what is wrong with it.
    ///
    /// User and password travel in the headers `X-ClickHouse-User` and `X-ClickHouse-Key`, which the server does not
    /// mix with those of a URL; without a user the server takes its own default.
    public init(
        endpoint: Endpoint,
        database: String = "awesome",
        table: String = "events",
        user: String? = nil,
        password: Secret? = nil,
        appVersion: String = "",
        server: Server = .portable,
        idempotencyHeader: String? = nil
    ) throws(ConfigurationError) {
        try ClickHouseConfiguration.checkIdentifier(database, field: "database")
        try ClickHouseConfiguration.checkIdentifier(table, field: "table")
        guard user != nil || password == nil else {
            throw .invalidValue(field: "user", expected: "set with a password")
        }
        let names = endpoint.queryNames
        guard !names.contains("user"), !names.contains("password") else {
            throw .invalidValue(field: "endpoint", expected: "without user and password in its query")
        }
        if let idempotencyHeader { _ = try HTTPHeader(idempotencyHeader, "") }
        var credentials: [HTTPHeader] = []
        if let user { credentials.append(try HTTPHeader("X-ClickHouse-User", user)) }
        if let password { credentials.append(try HTTPHeader("X-ClickHouse-Key", password.value)) }
        self.endpoint = try endpoint.replacingEmptyPath(with: "/")
        self.database = database
        self.table = table
        self.appVersion = appVersion
        self.server = server
        self.idempotencyHeader = idempotencyHeader
        self.credentials = credentials
    }

    /// Takes ASCII letters, digits and `_`, no digit first: an identifier stands in the statement as it is.
    private static func checkIdentifier(_ name: String, field: String) throws(ConfigurationError) {
        let isPlain = name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
        guard isPlain, let first = name.utf8.first, first &- 0x30 >= 10 else {
            throw .invalidValue(field: field, expected: "letters, digits and underscores, and no digit first")
        }
    }
}

extension ClickHouseConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "ClickHouseConfiguration(\(database).\(table) at \(endpoint))" }
    public var debugDescription: String { description }
}

extension ClickHouseConfiguration: CustomReflectable {
    /// Has no children: what the parts hold is for the wire alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
