import CoreTracker
import EventDelivery
import EventDeliveryTesting
import WebBridge

/// A guest with one page, whose plan has an event `opened` with parameters of each kind.
struct GuestScene {
    static let origin = "https://mini.example"
    static let lane = LaneID.awesomeTracking(product: "MA")

    let destination = RecordingDestination(lane: lane)
    let other = RecordingDestination(lane: .firebase(product: "MA"))
    let host = RecordingDestination(lane: .awesomeTracking(product: "DL"))
    let clock: TestClock
    let engine: DeliveryEngine
    let bridge: WebBridge

    init(
        _ schema: String = GuestScene.schema,
        messagesPerSecond: Int = 100,
        consent: [ConsentPurpose: Consent] = [:],
        defaults: @escaping @Sendable () -> EventParameters = { [:] }
    ) async throws {
        clock = TestClock()
        engine = DeliveryEngine(clock: clock)
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination, other, host],
            transport: ScriptedTransport()
        )
        configuration.consent = consent
        try await engine.open(configuration)
        bridge = try WebBridge(
            product: "MA",
            schema: schema.utf8,
            origins: [GuestScene.origin],
            messagesPerSecond: messagesPerSecond,
            on: engine,
            defaults: defaults
        )
    }

    /// Passes a message of the guest's page.
    @discardableResult
    func receive(_ message: String) -> DropReason? { bridge.receive(message, from: GuestScene.origin) }

    /// Passes an event `opened` with parameters, and returns the stored ones.
    func opened(_ parameters: String) async -> EventParameters? {
        let earlier = destination.events.count
        receive(GuestScene.message(parameters))
        await engine.storeBuffered()
        return destination.events.dropFirst(earlier).first?.parameters
    }

    /// The ledger of a lane.
    func ledger(_ lane: LaneID = GuestScene.lane) async -> LaneLedger? {
        await engine.statistics().first { $0.id == lane }?.ledger
    }

    /// Returns the message of an event `opened`.
    static func message(_ parameters: String) -> String {
        #"{"service":"awesomeTracking","name":"opened","parameters":\#(parameters)}"#
    }

    /// Returns the schema of an event `opened` and of an event `tapped` of another service.
    static func schema(parameters: String) -> String {
        """
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Guest",
         "anyOf": [{"$ref": "#/$defs/opened"}, {"$ref": "#/$defs/a%20~1~0tap"}],
         "$defs": {"opened": \(definition("awesomeTracking", "opened", parameters)),
                   "a /~tap": \(definition("firebase", "tapped", #"{"type": "object", "properties": {}}"#))}}
        """
    }

    private static func definition(_ service: String, _ name: String, _ parameters: String) -> String {
        """
        {"type": "object", "title": "T", "description": "D", "x-owner": "Guests", "x-product": "XX",
         "required": ["service", "name", "parameters"],
         "properties": {"service": {"const": "\(service)"}, "name": {"const": "\(name)"}, "parameters": \(parameters)}}
        """
    }

    static let schema = schema(
        parameters: """
            {"type": "object", "required": ["page"], "properties": {
                "page": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"},
                "isNew": {"type": "boolean"}, "gone": {"type": "null"}, "either": {"type": ["integer", "string"]},
                "empty": {"type": "array"}, "\u{e9}": {"type": "string"},
                "items": {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {
                    "id": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}}}}
            """
    )
}
