#if canImport(Darwin) || URLSESSION_ON_LINUX
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Writes a request as the session takes it.
    ///
    /// A session's own time-out counts whole seconds (on Linux, and there only if it is set after the creation). It
    /// stands behind the deadline, for a request that the deadline's cancelling does not reach.
    init(_ request: WireRequest, deadline: Duration) {
        self.init(url: request.url)
        httpMethod = request.method
        timeoutInterval = Double(min(max(deadline.components.seconds, 0), 86_400) + 2)
        cachePolicy = .reloadIgnoringLocalCacheData
        httpShouldHandleCookies = false
        for (name, value) in request.headers { addValue(value, forHTTPHeaderField: name) }
        httpBody = request.body.map { Data($0) }
    }
}
#endif
