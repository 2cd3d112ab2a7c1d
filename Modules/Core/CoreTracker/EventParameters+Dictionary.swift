extension EventParameters {
    /// The parameters as a dictionary, for an SDK that takes one.
    ///
    /// In Objective-C, values become `NSString`, `NSNumber` and so on.
    ///
    /// A Boolean becomes 1 or 0. Numbers that are not finite and sensitive values are left out.
    public var dictionary: [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        for parameter in self { values[parameter.key.name] = EventParameters.plain(parameter.value) }
        return values
    }

    private static func plain(_ value: ParameterValue) -> (any Sendable)? {
        switch value {
        case .string(let text): text
        case .int(let number): number
        case .double(let number): number.isFinite ? number : nil
        case .bool(let flag): flag ? 1 : 0
        case .array(let elements): elements.compactMap(plain)
        case .object(let members): members.dictionary
        }
    }
}
