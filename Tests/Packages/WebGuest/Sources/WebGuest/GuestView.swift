#if canImport(WebKit)
import WebBridge
import WebKit

/// Returns a view for the guest's pages.
@MainActor
func makeGuestView(_ bridge: WebBridge) -> WKWebView {
    let configuration = WKWebViewConfiguration()
    bridge.attach(to: configuration.userContentController)
    return WKWebView(frame: .zero, configuration: configuration)
}
#endif
