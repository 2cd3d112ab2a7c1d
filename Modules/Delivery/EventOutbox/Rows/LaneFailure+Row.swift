import EventTracking

extension LaneFailure {
    /// Writes or reads the fields of a lane's row, so the cause is known after a restart.
    ///
    /// An unknown kind is read as a temporary failure.
    mutating func code(_ coder: inout RowCoder) {
        var (time, kind, status) = (self.time, self.kind.rawValue, self.status ?? 0)
        var (code, response, receiver) = (self.code, self.response, self.receiver)
        coder.code(&time)
        coder.code(&kind)
        coder.code(&status)
        coder.code(&code)
        coder.code(&response)
        coder.code(&receiver)
        guard coder.isReading else { return }
        self = LaneFailure(
            time: time,
            kind: Kind(rawValue: kind) ?? .retry,
            status: status,
            code: code,
            response: response,
            receiver: receiver
        )
    }
}
