public import VendorRules

extension EventRules {
    /// The rules for Adobe's XDM events.
    ///
    /// Adobe documents no lengths and counts of names and parameters, only the request's limit of 64 KB. If the id of a
    /// user has more than 1,024 characters, Adobe skips the record. It blocks ids without a meaning.
    ///
    /// Source: https://experienceleague.adobe.com/en/docs/experience-platform/identity/guardrails ("Identity value
    /// validation").
    public static let adobe = {
        var rules = permissive
        rules.userID = UserIDRule(
            maximumLength: 1_024,
            blocked: ["null", "anonymous", "invalid"],
            blocksBlank: true
        )
        return rules
    }()
}
