import Testing

@testable import CoreTracker

@Suite struct ParameterKeyPersonalDataTests {
    @Test(arguments: [
        "email", "user_email", "userEmail", "e_mail", "eMail", "mail", "token", "access_token", "accessToken",
        "Password", "api_key", "apiKey", "client-secret", "phone", "home.phone", "card_cvv", "PIN",
    ])
    func `a name with such a word suggests a secret or personal data`(name: String) {
        #expect(ParameterKey(name).suggestsPersonalData)
    }

    @Test(arguments: [
        "", "_", "tokens", "token2x", "mailing_list", "telephone", "spinner", "pinned", "emails_sent", "secretary",
        "price",
    ])
    func `other names do not`(name: String) {
        #expect(!ParameterKey(name).suggestsPersonalData)
    }
}
