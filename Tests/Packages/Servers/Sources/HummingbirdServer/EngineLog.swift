import EventDelivery
import Logging

/// Returns a log of the engine that writes with swift-log.
func makeLog() -> DeliveryLog {
    let logger = Logger(label: "events")
    let log = DeliveryLog.custom { entry in
        logger.log(level: entry.level == .warning ? .warning : .info, "\(entry)")
    }
    return log
}
