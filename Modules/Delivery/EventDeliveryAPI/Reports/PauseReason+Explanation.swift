extension PauseReason {
    /// Returns the explanation of a pause.
    ///
    /// If the address or the credentials have changed since, `resume()` is not necessary.
    ///
    /// - Parameter failure: The failure behind the pause, if it is known.
    func explanation(after failure: LaneFailure?) -> Explanation {
        if let failure, failure.kind == .paused, failure.status == nil { return failure.noResponse }
        let status = failure?.statusText ?? ""
        switch self {
        case .credentials:
            return paused(
                "the receiver refuses the credentials\(status)",
                cure: "correct the credentials, or call resume() if they are right"
            )
        case .endpoint: return endpoint(failure?.status, status)
        case .missingTable:
            return paused(
                "the receiver has no such table\(status)",
                cure: "create the table or correct its name, and call resume()"
            )
        case .missingColumn:
            return paused("the receiver's table lacks a column\(status)", cure: "add the column and call resume()")
        case .intercepted:
            return paused(
                "another server responded, such as a captive portal\(status)",
                cure: "sign in to the network, or wait"
            )
        case .trust:
            return paused(
                "the receiver's certificate is not trusted",
                cure: "check the certificate, the clock and the CA file"
            )
        case .protocolMismatch: return mismatch(failure, status)
        }
    }

    private func paused(_ cause: String, cure: String, as detail: String = "") -> Explanation {
        Explanation("paused.\(rawValue)\(detail)", cause, cure: cure)
    }

    private func endpoint(_ code: Int?, _ status: String) -> Explanation {
        switch code {
        case 400, 422:
            paused(
                "the receiver does not know an id of the configuration\(status)",
                cure: "correct the ids of the destination, or call resume() if they are right",
                as: ".id"
            )
        default:
            paused(
                "there is no such endpoint\(status)",
                cure: "correct the address, or call resume() if it is right"
            )
        }
    }

    private func mismatch(_ failure: LaneFailure?, _ status: String) -> Explanation {
        switch (failure?.kind, failure?.status) {
        case (.dropped, _):
            paused(
                "the receiver accepts the requests and loses each event\(status)",
                cure: "correct the cause that lastFailure.code names, such as missing consent, and call resume()",
                as: ".dropped"
            )
        case (_, 411):
            paused(
                "the receiver gets no length of the body\(status)",
                cure: "check the proxies on the way, and call resume()",
                as: ".length"
            )
        case (_, 415):
            paused(
                "the receiver does not accept the format or the compression of the body\(status)",
                cure: "check that the address takes this format and gzip, and call resume()",
                as: ".format"
            )
        case (_, 431):
            paused(
                "the receiver refuses the size of the request's headers\(status)",
                cure: "shorten the headers and call resume()",
                as: ".headers"
            )
        case (_, 501), (_, 505):
            paused(
                "the receiver does not support the method or the HTTP version\(status)",
                cure: "check the address, and call resume()",
                as: ".version"
            )
        case (_, 506), (_, 508), (_, 510):
            paused(
                "the receiver reports a fault of its own configuration\(status)",
                cure: "correct the receiver, and call resume()",
                as: ".receiver"
            )
        // A destination that pauses for such a status by itself has read the cause in the response.
        case (let kind?, let code?) where code >= 500 && kind != .paused:
            paused(
                "the receiver fails for each batch and names no event\(status)",
                cure: "look in the receiver's log; the engine tries again",
                as: ".fails"
            )
        case (_, 413):
            paused(
                "the receiver refuses the size of each event\(status)",
                cure: "raise the receiver's limit or track smaller parameters, and call resume()",
                as: ".size"
            )
        case (_, let code?) where (400..<500).contains(code) && ![400, 404, 422].contains(code):
            paused(
                "the receiver answers each batch with an unusual status\(status)",
                cure: "check the address and the receiver, and call resume()",
                as: ".unusual"
            )
        default:
            paused(
                "the receiver refuses each event\(status)",
                cure: "correct the fault that lastFailure.response names, such as an invalid id, and call resume()",
                as: ".refused"
            )
        }
    }
}
