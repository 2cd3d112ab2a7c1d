extension EventParameters {
    /// Creates parameters of one sensitive value, which reaches the service only as the policy says.
    ///
    /// Merged with others it takes the place of an equal key: `.sensitive(mail, as: .mail, .hash).merging([…])`. Until
    /// the delivery engine applies the policy the value is no element of the collection, so that whatever does not know
    /// of it leaves it out.
    public static func sensitive(
        _ value: Sensitive<some ParameterRepresentable>,
        as key: ParameterKey,
        _ policy: SensitivePolicy
    ) -> EventParameters {
        var parameters = EventParameters()
        parameters.insert(SensitiveParameter(key: key, policy: policy, value: value.value.parameterValue))
        return parameters
    }

    /// Returns the parameters as a service of a purpose gets them, every policy applied.
    ///
    /// `hash` answers the hash of a text, or `nil` where the app has no salt.
    package func disclosed(for purpose: String, hash: (String) -> String?) -> EventParameters {
        var parameters = self
        for parameter in parameters.removeSensitive() {
            parameters[parameter.key] = parameter.disclosed(for: purpose, hash: hash)
        }
        return parameters
    }
}
