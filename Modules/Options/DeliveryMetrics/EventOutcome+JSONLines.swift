import CLibrary
import CoreTracker
import Dispatch
import EventDelivery
public import EventTracking
import Locks

#if canImport(os)
public import os
#endif

extension EventOutcome {
    /// The outcome as one line of JSON, without the line feed.
    ///
    /// Every line has the same members, because readers of JSON lines derive the columns from the first lines: `time`
    /// (RFC 3339), `lane` and `outcome`; `id`, which is empty for a group of events; `count`; `reason`, which is empty
    /// unless events are lost; and `missed`, the number of outcomes that the listener has lost before this one.
    public var jsonLine: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", .string(time.rfc3339))
        json.member("lane", .string(lane.description))
        json.member("outcome", .string(kind.description))
        json.member("id", .string(id?.description ?? ""))
        json.member("count", .int(count))
        json.member("reason", .string(kind.reason?.name ?? ""))
        json.member("missed", .int(missed))
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension EventOutcome.Kind: CustomStringConvertible {
    /// The name of the kind, such as `dropped`, without the reason.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .stored: "stored"
        case .sent: "sent"
        case .delivered: "delivered"
        case .quarantined: "quarantined"
        case .dropped: "dropped"
        }
    }

    /// The reason of a loss, or `nil`.
    public var reason: DropReason? { if case .dropped(let reason) = self { reason } else { nil } }
}

/// Bridges of outcomes to logs.
extension AsyncStream<EventOutcome> {
    /// Writes each outcome as a line of JSON, until the stream ends, the task is cancelled or the file is closed.
    ///
    /// If the reader of the file is slow or the disk is full, the stream loses the oldest outcomes, and the engine does
    /// not wait. On a full disk, the function waits also after the end of the stream, until there is space or the task
    /// is cancelled. If the reader of a pipe has closed it, the function returns, and the process gets no SIGPIPE. On
    /// Apple's platforms, no later write to the descriptor's file raises this signal.
    ///
    /// ```swift
    /// let outcomes = engine.outcomes()
    /// Task { await outcomes.writeLines() }
    /// ```
    ///
    /// - Parameter descriptor: The descriptor of the file, which is standard error by default.
    @concurrent
    public func writeLines(to descriptor: Int32 = 2) async {
        // A write can block, and must not block a thread of Swift's shared pool.
        let queue = DispatchQueue(label: "DeliveryMetrics.outcomes", qos: .utility)
        let file = OutcomeFile(descriptor: descriptor)
        await withTaskCancellationHandler {
            for await outcome in self {
                let line = Array((outcome.jsonLine + "\n").utf8)
                let isWritten = await withCheckedContinuation { continuation in
                    queue.async { continuation.resume(returning: file.write(line)) }
                }
                guard isWritten else { return }
            }
        } onCancel: {
            file.cancel()
        }
    }

    #if canImport(os)
    /// Logs each outcome as a line of JSON, until the stream ends or the task is cancelled.
    ///
    /// A loss is logged as an error, and any other outcome on the level `debug`. Outcomes have no event data, so the
    /// lines are public.
    ///
    /// - Parameter logger: The app's logger.
    @concurrent
    public func log(to logger: Logger) async {
        for await outcome in self {
            let level: OSLogType = outcome.kind.reason == nil ? .debug : .error
            logger.log(level: level, "\(outcome.jsonLine, privacy: .public)")
        }
    }
    #endif
}

/// A file for whole lines, to which a write can be cancelled.
private final class OutcomeFile: Sendable {
    /// The time after which a wait for a slow reader or a full disk checks for a cancellation, in milliseconds.
    private static let interval: Int32 = 100

    private let descriptor: Int32
    private let file: OutputFile
    private let isCancelled = Atomic(false)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        file = OutputFile(descriptor: descriptor)
    }

    /// Ends the present write and all later ones.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Writes all bytes, and waits for a slow reader or a full disk.
    ///
    /// - Returns: `false` if the file accepts no more bytes, or if the write is cancelled.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            // poll ignores a negative descriptor.
            guard descriptor >= 0, !isCancelled.load(ordering: .relaxed) else { return false }
            // A ready pipe takes a line without blocking.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard unsafe poll(&ready, 1, OutcomeFile.interval) != 0 else { continue }
            let count = file.write(rest)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == ENOSPC || errno == EDQUOT {
                poll(nil, 0, OutcomeFile.interval)
            } else if errno != EINTR, errno != EAGAIN {
                return false
            }
        }
        return true
    }
}
