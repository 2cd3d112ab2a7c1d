public import EventDelivery

/// A configuration for sending events to ClickHouse, or to a gateway that accepts the same body.
public struct ClickHouseConfiguration: Sendable {
    /// A level of features supported by a server.
    public enum Server: Sendable, Hashable {
        /// Any release since 18.16, and gateways.
        ///
        /// Rows are deduplicated by their `event_id` only.
        case portable
        /// A current release, which supports the settings `insert_deduplication_token`, `input_format_try_infer_dates`
        /// and `input_format_try_infer_datetimes`.
        ///
        /// A repeated batch is recognized by its token, and no text in a JSON column becomes a date. An older release
        /// rejects every request with these settings.
        case modern
    }

    /// The address of the server.
    ///
    /// If the endpoint has no path, the path is `/`.
    public let endpoint: Endpoint
    /// The table's database.
    public let database: String
    /// The name of the table.
    public let table: String
    /// The app's version, a column of each row.
    public let appVersion: String
    /// The number of the product's tracking plan, a column of each row.
    public let schema: Int
    /// The features supported by the server.
    public let server: Server
    /// The header for the batch's id, for a gateway that deduplicates by it, or `nil` for none.
    public let idempotencyHeader: String?
    /// The options of requests.
    public let requests: RequestOptions
    /// Whether each row has the device's time of the attempt.
    public let statesSendingTime: Bool
    /// The headers with the user and the password, or with the token.
    let credentials: [HTTPHeader]

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The address of the server, without user and password in its query.
    ///   - database: The table's database.
    ///   - table: The name of the table.
    ///   - user: The user, sent in the header `X-ClickHouse-User`. If it is `nil`, the server uses its default user.
    ///   - password: The user's password, sent in the header `X-ClickHouse-Key`.
    ///   - token: The app's token for a gateway, sent as `Authorization: Bearer …`. It excludes a user.
    ///   - appVersion: The app's version, a column of each row.
    ///   - schema: The number of the product's tracking plan from 1 to 65,535, a column of each row. The plan's tool
    ///     raises it if a change breaks the readers of the rows.
    ///   - server: The features supported by the server.
    ///   - idempotencyHeader: The header for the batch's id, for a gateway that deduplicates by it, or `nil` for none.
    ///   - requests: The options of requests, for a gateway that cannot read gzip or needs further headers.
    ///   - statesSendingTime: Whether each row has the device's time of the attempt in milliseconds, as `sent_at`, by
    ///     which a reader corrects a wrong clock. A retry then has another body, so a server without the batch's token
    ///     does not recognize a repeated block.
    /// - Throws: A `ConfigurationError` for the first invalid value. The server does not accept credentials in both the
    ///   headers and the URL.
    public init(
        endpoint: Endpoint,
        database: String = "awesome",
        table: String = "events",
        user: String? = nil,
        password: Secret? = nil,
        token: Secret? = nil,
        appVersion: String = "",
        schema: Int = 1,
        server: Server = .portable,
        idempotencyHeader: String? = nil,
        requests: RequestOptions = .standard,
        statesSendingTime: Bool = false
    ) throws(ConfigurationError) {
        try ClickHouseConfiguration.checkIdentifier(database, field: "database")
        try ClickHouseConfiguration.checkIdentifier(table, field: "table")
        guard (1...65_535).contains(schema) else {
            throw .invalidValue(field: "schema", expected: "from 1 to 65,535")
        }
        guard user != nil || password == nil else {
            throw .invalidValue(field: "user", expected: "set with a password")
        }
        guard user == nil || token == nil else {
            throw .invalidValue(field: "token", expected: "set without a user")
        }
        let names = endpoint.queryNames
        guard !names.contains("user"), !names.contains("password") else {
            throw .invalidValue(field: "endpoint", expected: "without user and password in its query")
        }
        var credentials: [HTTPHeader] = []
        if let user { credentials.append(try HTTPHeader("X-ClickHouse-User", user)) }
        if let password { credentials.append(try HTTPHeader("X-ClickHouse-Key", password.value)) }
        if let token { credentials.append(try HTTPHeader("Authorization", "Bearer \(token.value)")) }
        let batch = if let idempotencyHeader { [try HTTPHeader(idempotencyHeader, "")] } else { [] as [HTTPHeader] }
        try requests.check(against: credentials + batch)
        self.requests = requests
        self.statesSendingTime = statesSendingTime
        self.endpoint = try endpoint.replacingEmptyPath(with: "/")
        self.database = database
        self.table = table
        self.appVersion = appVersion
        self.schema = schema
        self.server = server
        self.idempotencyHeader = idempotencyHeader
        self.credentials = credentials
    }

    /// Checks for ASCII letters, digits and `_`, without a leading digit, because the statement contains the name
    /// unquoted.
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
    /// A mirror without children, because the configuration contains credentials.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
