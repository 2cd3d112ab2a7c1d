import CPages

/// The page, which is a single document without external requests.
enum InspectorPage {
    /// The policy of responses other than pages: the browser may load nothing.
    static let policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

    /// The style of the live view, in light and dark.
    ///
    /// The contrast of each text color is at least 4.5.
    private static let style = unsafe String(cString: cpages_inspector_style())
    private static let markup = unsafe String(cString: cpages_inspector_markup())
    private static let script = unsafe String(cString: cpages_inspector_script())

    /// Returns the document of the live view and its policy.
    ///
    /// `receiver` is the address that receives events.
    static func live(receiver: String) -> (html: String, policy: String) {
        let nonce = nonce()
        let html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Event inspector</title>
            <style nonce="\(nonce)">
            \(style)</style>
            </head>
            <body>
            \(markup.replacing("RECEIVER", with: receiver))<script nonce="\(nonce)">"use strict";
            \(script)</script>
            </body>
            </html>
            """
        let own = "; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; img-src data:"
        return (html: html, policy: policy + own)
    }

    /// Returns the document of the plan and its policy.
    static func plan(_ html: String) -> (html: String, policy: String) {
        let nonce = nonce()
        let html = html.replacing("<style>", with: "<style nonce=\"\(nonce)\">")
            .replacing("<script>", with: "<script nonce=\"\(nonce)\">")
        return (html: html, policy: policy + "; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'")
    }

    /// Returns an unpredictable text.
    private static func nonce() -> String {
        String(UInt64.random(in: 0...UInt64.max), radix: 36) + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    }
}
