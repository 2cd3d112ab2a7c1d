#if canImport(WebKit) && !os(tvOS) && !os(watchOS)
public import WebKit

extension WebBridge {
    /// Lets the pages of a web view track events through this bridge.
    ///
    /// ```swift
    /// let view = WKWebViewConfiguration()
    /// bridge.attach(to: view.userContentController)
    /// ```
    ///
    /// Call it before the page loads. It adds ``script`` to the main frame, and a message handler with the name
    /// `eventTracker`, which replaces an earlier one. Messages of other frames are refused, also of an allowed origin.
    ///
    /// - Parameter controller: The web view's controller, which keeps the bridge until it removes the handler.
    @MainActor
    public func attach(to controller: WKUserContentController) {
        controller.removeScriptMessageHandler(forName: WebMessageHandler.name)  // a second one would be an exception
        controller.add(WebMessageHandler(bridge: self), name: WebMessageHandler.name)
        controller.addUserScript(
            WKUserScript(source: WebBridge.script, injectionTime: .atDocumentStart, forMainFrameOnly: true)
        )
    }
}

/// A handler that passes the messages of a web view to a bridge, with the origin that WebKit reports.
@MainActor
private final class WebMessageHandler: NSObject, WKScriptMessageHandler {
    static let name = "eventTracker"

    private let bridge: WebBridge

    init(bridge: WebBridge) {
        self.bridge = bridge
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        let frame = message.frameInfo
        let (origin, port) = (frame.securityOrigin, frame.securityOrigin.port)
        let text = "\(origin.protocol)://\(origin.host)" + (port == 0 ? "" : ":\(port)")
        // A message of another type than text counts as one that is not JSON.
        bridge.receive(message.body as? String ?? "", from: frame.isMainFrame ? text : "")
    }
}
#endif
