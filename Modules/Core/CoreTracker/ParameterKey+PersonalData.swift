extension ParameterKey {
    /// The words in names of secrets and of personal data.
    ///
    /// `apikey` also covers the two words `api` and `key`.
    private static let personalWords: Set = [
        "apikey", "cvc", "cvv", "email", "iban", "mail", "msisdn", "otp", "passcode", "passwd", "password", "phone",
        "pin", "pwd", "secret", "ssn", "token",
    ]

    /// Whether a word of the name, or two words together, suggest a secret or personal data.
    ///
    /// `user_email`, `userEmail` and `api_key` do.
    package var suggestsPersonalData: Bool {
        var words = [""]
        var before: Character = "_"
        for character in name {
            let isPart = character.isLetter || character.isNumber
            if !isPart || character.isUppercase && before.isLowercase { words.append("") }
            if isPart { words[words.count - 1] += character.lowercased() }
            before = character
        }
        let pairs = zip(words, words.dropFirst()).map(+)
        return (words + pairs).contains(where: ParameterKey.personalWords.contains)
    }
}
