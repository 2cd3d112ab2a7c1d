package import CoreTracker
package import EventDelivery

/// An operation in a simulation: a call of the public API, or a change of the engine's environment.
package enum Operation: Sendable, Equatable {
    /// Tracks events on a lane, in a scope or outside of scopes.
    case track(lane: Int, count: Int, TrackOptions, Payload, scope: Int? = nil)
    /// Tracks an event, and waits for its receipt.
    case trackForReceipt(lane: Int, TrackOptions, scope: Int? = nil)
    case setConsent(Consent, purpose: Int)
    case identify(user: Int)
    case clearUser
    case startSession
    /// Shows a variant of a feature flag, in a scope or outside of scopes.
    case showVariant(Int, scope: Int?)
    case reset
    case flush(milliseconds: Int)
    /// Starts a flush, and cancels the task that waits for it.
    case cancelledFlush(milliseconds: Int)
    case storeBuffered
    case resume
    case statistics
    case explain
    case audit
    case retryQuarantined
    case discardQuarantined
    /// Erases a user's events.
    case erase(user: Int)
    case eraseEverything
    /// Holds a lane.
    case hold(lane: Int)
    /// Releases all lanes.
    case release
    case suspendStorage
    case resumeStorage
    /// Passes a quotas document to the engine.
    case setQuotas(document: Int)
    case openAgain
    case close(milliseconds: Int)
    /// Changes the behavior of a lane's receiver.
    case network(lane: Int, Weather)
    case jump(seconds: Int64)
    case disk(DiskWeather)
    /// Stops the process for a time.
    case freeze(milliseconds: Int)

    /// The contents of an event.
    package enum Payload: Sendable, Hashable {
        case plain
        /// The receiver refuses each batch that contains the event.
        case poison
        /// The event breaks a rule of its destination.
        case rule
    }

    /// Whether the operation changes the network, the disk, the clock or the process instead of calling the engine.
    var isFault: Bool {
        switch self {
        case .network, .disk, .jump, .freeze: true
        default: false
        }
    }

    /// The operation's name, without its arguments.
    package var name: String { String(description.prefix { $0 != "(" }) }
}

extension Operation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .track(let lane, let count, let options, let payload, let scope):
            "track(\(count)\(payload == .plain ? "" : " \(payload)") on \(lane), \(options.durability), "
                + "\(options.priority)\(scope.map { ", scope \($0)" } ?? ""))"
        case .trackForReceipt(let lane, let options, let scope):
            "trackForReceipt(on \(lane), \(options.durability)\(scope.map { ", scope \($0)" } ?? ""))"
        case .setConsent(let consent, let purpose): "setConsent(\(consent), for \(Lanes.purposes[purpose].name))"
        case .identify(let user): "identify(\(user))"
        case .clearUser: "clearUser"
        case .startSession: "startSession"
        case .showVariant(let variant, let scope): "showVariant(\(variant)\(scope.map { ", scope \($0)" } ?? ""))"
        case .reset: "reset"
        case .flush(let milliseconds): "flush(\(milliseconds) ms)"
        case .cancelledFlush(let milliseconds): "cancelledFlush(\(milliseconds) ms)"
        case .storeBuffered: "storeBuffered"
        case .resume: "resume"
        case .statistics: "statistics"
        case .explain: "explain"
        case .audit: "audit"
        case .retryQuarantined: "retryQuarantined"
        case .discardQuarantined: "discardQuarantined"
        case .erase(let user): "erase(\(user))"
        case .eraseEverything: "eraseEverything"
        case .hold(let lane): "hold(\(lane))"
        case .release: "release"
        case .suspendStorage: "suspendStorage"
        case .resumeStorage: "resumeStorage"
        case .setQuotas(let document): "setQuotas(\(document))"
        case .openAgain: "openAgain"
        case .close(let milliseconds): "close(\(milliseconds) ms)"
        case .network(let lane, let weather): "network(of \(lane): \(weather))"
        case .jump(let seconds): "jump(\(seconds) s)"
        case .disk(let weather): "disk(\(weather))"
        case .freeze(let milliseconds): "freeze(\(milliseconds) ms)"
        }
    }
}

/// The behavior of a receiver and of the network to it.
package struct Weather: Sendable, Hashable, CustomStringConvertible {
    /// A fault of a receiver or the network.
    package enum Fault: Sendable, Hashable {
        case none
        case refusedConnection
        /// There is no response, and the batch has not arrived.
        case silence
        /// The receiver stores the batch, but its response is lost.
        case lostAnswer
        case untrusted
        case garbled
        case status(Int)
        /// A response with a `Retry-After` header of the given text.
        case retryAfter(Int, String)
        /// A page instead of an acknowledgement.
        case page
        /// Some events are refused, some must be sent again, and some are lost.
        case partly
        /// The receiver stores the batch, and the body of its acknowledgement is interrupted.
        case interrupted
    }

    package var fault = Fault.none
    /// The percentage of affected requests.
    package var percent = 0
    /// The maximum latency in each direction in nanoseconds.
    package var latency = 2_000_000
    /// The maximum size of a body accepted by the receiver.
    package var limit: Int?

    /// Weather without faults.
    package static let fair = Weather()

    package var description: String {
        let size = limit.map { ", at most \($0) bytes" } ?? ""
        return "\(fault) \(percent) %, \(Double(latency) / 1e6) ms\(size)"
    }

    /// The fault's name, without its arguments.
    package var name: String {
        guard fault != .none, percent > 0 else {
            return limit != nil ? "size limit" : latency > 100_000_000 ? "slow network" : "fair"
        }
        let text = "\(fault)"
        return String(text[..<(text.firstIndex(of: "(") ?? text.endIndex)])
    }

    /// The statuses of the response table, and other possible ones.
    static let statuses = [
        200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414,
        415, 418, 421, 422, 425, 426, 429, 431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 520,
        599, 600, 999,
    ]
    /// Values that receivers write into `Retry-After`.
    static let waits = [
        "0", "1", "3", "120", "999999999999", "-1", "", "soon", "1.5", "18446744073709551616", "\u{0}7",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 01 Mar 2026 10:00:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
    ]
}

/// The behavior of the disk.
package enum DiskWeather: Sendable, Hashable {
    case fair, full, failingReads, failingWrites, failingSyncs, unopenable, slow
    /// Another program has taken all free space. The space of a deleted file can be used again.
    case filled
}
