/// The transport over the platform's HTTP client: `URLSession` on Apple platforms, libcurl on others.
#if canImport(Darwin)
public typealias PlatformTransport = URLSessionTransport
#else
public typealias PlatformTransport = CurlTransport
#endif
