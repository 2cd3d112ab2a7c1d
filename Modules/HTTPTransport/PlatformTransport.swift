/// The transport over the platform's own HTTP client: `URLSession` on Apple platforms, libcurl elsewhere.
#if canImport(Darwin)
public typealias PlatformTransport = URLSessionTransport
#else
public typealias PlatformTransport = CurlTransport
#endif
