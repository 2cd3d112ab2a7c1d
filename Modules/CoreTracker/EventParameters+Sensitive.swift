extension EventParameters {
    /// Creates parameters of one sensitive value, which reaches the service only as the policy says.
    ///
    /// Merged with others it takes the place of an equal key: `.sensitive(mail, as: .mail, .hash).merging([…])`. Its
    /// policy holds in a nested object, such as an item of a purchase, too. Until the delivery engine applies it the
    /// value is not an element of the collection, so that whatever does not know of it leaves it out.
    ///
    /// A hash is that of the text as it is written: `Ali@Example.com` and `ali@example.com` have different ones. Bring
    /// a value into the form that the receiver expects before it is wrapped, for an address mostly without spaces
    /// around it and in lower case.
    public static func sensitive(
        _ value: Sensitive<some ParameterRepresentable>,
        as key: ParameterKey,
        _ policy: SensitivePolicy
    ) -> EventParameters {
        var parameters = EventParameters()
        parameters.insert(SensitiveParameter(key: key, policy: policy, value: value.value.parameterValue))
        return parameters
    }

    /// Returns the parameters as a service of a purpose gets them, every policy applied, also in nested objects.
    ///
    /// `hash` answers the hash of a text, or `nil` where the app has no salt.
    package func disclosed(for purpose: String, hash: (String) -> String?) -> EventParameters {
        guard hasSensitive else { return self }
        var parameters = EventParameters(map { ($0.key, $0.value.disclosed(for: purpose, hash: hash)) })
        parameters.noteOmissions(of: self)
        for parameter in sensitive {
            parameters[parameter.key] = parameter.disclosed(for: purpose, hash: hash)
        }
        return parameters
    }

    /// The sensitive values, also those of nested objects.
    package var allSensitive: [SensitiveParameter] {
        hasSensitive ? sensitive + flatMap { $0.value.sensitive } : []
    }
}

extension ParameterValue {
    /// The sensitive values of the objects in the value.
    var sensitive: [SensitiveParameter] {
        switch self {
        case .string, .int, .double, .bool: []
        case .array(let list): list.flatMap(\.sensitive)
        case .object(let members): members.allSensitive
        }
    }

    /// Returns the value as a service of a purpose gets it.
    func disclosed(for purpose: String, hash: (String) -> String?) -> ParameterValue {
        switch self {
        case .string, .int, .double, .bool: self
        case .array(let list):
            list.extent.marks.contains(.sensitive)
                ? .array(ParameterList(list.map { $0.disclosed(for: purpose, hash: hash) })) : self
        case .object(let members): .object(members.disclosed(for: purpose, hash: hash))
        }
    }
}
