extension EventParameters {
    /// Creates parameters with one sensitive value, which reaches a service only as the policy allows.
    ///
    /// The value replaces an equal key if it is merged with other parameters:
    /// `.sensitive(mail, as: .mail, policy: .hash).merging([…])`. The policy also applies in a nested object, such as an
    /// item of a purchase. The value is not an element of the collection until the delivery engine applies the policy.
    /// Code that only reads the elements therefore leaves it out.
    ///
    /// The exact text is hashed: `Ali@Example.com` and `ali@example.com` have different hashes. Normalize a value
    /// before wrapping it, as the receiver expects. For an email address, this usually means lower case and no
    /// surrounding spaces.
    ///
    /// - Parameters:
    ///   - value: The sensitive value.
    ///   - key: The parameter's wire name.
    ///   - policy: The rule for passing the value to a service.
    /// - Returns: A set of parameters without elements, which carries the sensitive value.
    public static func sensitive(
        _ value: Sensitive<some ParameterRepresentable>,
        as key: ParameterKey,
        policy: SensitivePolicy
    ) -> EventParameters {
        var parameters = EventParameters()
        parameters.insert(SensitiveParameter(key: key, policy: policy, value: value.value.parameterValue))
        return parameters
    }

    /// Returns the parameters with every policy applied, including in nested objects.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the service that receives the parameters.
    ///   - hash: Returns the hash of a text, or `nil` if the app has no salt.
    /// - Returns: The parameters as the service receives them.
    package func redacted(for purpose: String, hash: (String) -> String?) -> EventParameters {
        guard hasSensitive else { return self }
        var parameters = EventParameters(map { ($0.key, $0.value.redacted(for: purpose, hash: hash)) })
        parameters.recordOmissions(of: self)
        for parameter in sensitive {
            parameters[parameter.key] = parameter.redacted(for: purpose, hash: hash)
        }
        return parameters
    }

    /// The sensitive values, including values in nested objects.
    package var allSensitive: [SensitiveParameter] {
        hasSensitive ? sensitive + flatMap { $0.value.sensitive } : []
    }
}

extension ParameterValue {
    /// The sensitive values of the objects in this value.
    var sensitive: [SensitiveParameter] {
        switch self {
        case .string, .int, .double, .bool: []
        case .array(let list): list.flatMap(\.sensitive)
        case .object(let members): members.allSensitive
        }
    }

    /// Returns the value with every policy in it applied.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the service that receives the value.
    ///   - hash: Returns the hash of a text, or `nil` if the app has no salt.
    /// - Returns: The value as the service receives it.
    func redacted(for purpose: String, hash: (String) -> String?) -> ParameterValue {
        switch self {
        case .string, .int, .double, .bool: self
        case .array(let list):
            list.extent.marks.contains(.sensitive)
                ? .array(ParameterList(list.map { $0.redacted(for: purpose, hash: hash) })) : self
        case .object(let members): .object(members.redacted(for: purpose, hash: hash))
        }
    }
}
