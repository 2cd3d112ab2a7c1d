extension ParameterKey {
    /// The words in the names of secrets and of data by which a person is known.
    private static let personalWords: Set<Substring> = [
        "apikey", "cvc", "cvv", "email", "iban", "mail", "msisdn", "otp", "passcode", "passwd", "password", "phone",
        "pin", "pwd", "secret", "ssn", "token",
    ]

    /// Whether a word of the name suggests a secret or personal data, such as `email` in `user_email` and `userEmail`.
    package var suggestsPersonalData: Bool {
        let name = self.name.replacing("e-mail", with: "email").replacing("e_mail", with: "email")
            .replacing("eMail", with: "email").replacing("api_key", with: "apikey").replacing("apiKey", with: "apikey")
        var words: [Substring] = []
        var start = name.startIndex
        for index in name.indices {
            let isBoundary = !name[index].isLetter && !name[index].isNumber
            let before = index > name.startIndex ? name[name.index(before: index)] : "_"
            let beginsWord = name[index].isUppercase && before.isLowercase
            guard isBoundary || beginsWord else { continue }
            words.append(name[start..<index])
            start = isBoundary ? name.index(after: index) : index
        }
        words.append(name[start...])
        return words.contains { ParameterKey.personalWords.contains($0.lowercased()[...]) }
    }
}
