import CoreTracker

extension BrokenEvents {
    struct Braze: LooseEvent {
        let services: [EventService]
        static let examples = [
            [braze(""), braze(String(repeating: "n", count: 256)), braze("a\nb"), braze("$seen")],
            [braze("seen", ["": 1]), braze("seen", [ParameterKey(String(repeating: "k", count: 256)): 1])],
            [braze("seen", ["a\nb": 1]), braze("seen", ["event_name": 1])],
            [braze("seen", EventParameters((1...256).map { (ParameterKey("key\($0)"), .int($0)) }))],
            [braze("seen", ["text": .string(String(repeating: "v", count: 256))])],
            [braze("seen", ["price": .double(.infinity), "list": deep])],
            [braze("seen", ["list": .array(Array(repeating: "many", count: 20_000))])],
        ]

        private static func braze(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("braze", name, parameters))
        }
    }

    struct Adobe: LooseEvent {
        let services: [EventService]
        static let examples = [
            [adobe(""), adobe("a\nb")],
            [adobe("seen", ["": 1, "a\nb": 1, "price": .double(.infinity), "list": deep])],
            [adobe("seen", ["text": .string(String(repeating: "v", count: 64_000))])],
        ]

        private static func adobe(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("adobe", name, parameters))
        }
    }

    struct Sumo: LooseEvent {
        let services: [EventService]
        static let examples = [
            [sumo(""), sumo("seen", ["price": .double(.infinity)])],
            [sumo("seen", ["text": .string(String(repeating: "v", count: 65_536))])],
        ]

        private static func sumo(_ name: String, _ parameters: EventParameters = [:]) -> EventService {
            .vendor(VendorEvent("sumo", name, parameters))
        }
    }

    /// Nested arrays, deeper than any service accepts.
    private static let deep = (0..<40).reduce(ParameterValue.int(1)) { value, _ in [value] }
}
