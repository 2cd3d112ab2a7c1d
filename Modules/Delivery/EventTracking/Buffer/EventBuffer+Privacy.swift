package import CoreTracker
import Locks

/// Consent decisions and erasures.
///
/// Each call gets the next decision number, and each event carries the last decision number at its call. A denial is in
/// effect before its number is visible, and `track` reads the number before the consent. An event whose number is at
/// least a denial's was therefore tracked after the denial, and was accepted only because a later decision was in
/// effect.
extension EventBuffer {
    /// Records the user's decision about a purpose.
    ///
    /// A denial also removes the buffered events of the purpose's lanes.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - purpose: The purpose.
    /// - Returns: The decision with its decision number.
    @discardableResult
    package func decide(_ consent: Consent, about purpose: ConsentPurpose) -> PrivacyDecision {
        let (decision, removed) = withLanes { lanes in
            let number = lastNumber + 1
            let decision = PrivacyDecision(number: number, kind: .consent(purpose, consent))
            guard consent == .denied else {
                publish(number)
                lanes.record(decision)
                return (decision, [BufferedEvent]())
            }
            lanes.record(decision)
            publish(number)
            // If a call has not seen the denial, it still holds its shard's lock, so the removal finds its event too.
            return (decision, remove(.consentDenied) { lanes.lanes[$0.lane].purpose == purpose && $0.number < number })
        }
        giveUp(removed, .consentDenied)
        return decision
    }

    /// Whether a decision or an erasure is within the limits.
    ///
    /// - Parameter kind: Its content.
    package func isAcceptable(_ kind: PrivacyDecision.Kind) -> Bool {
        withLanes { $0.privacy.isAcceptable(kind) }
    }

    /// Removes a user's buffered events, and requests the erasure of the stored ones.
    ///
    /// - Parameter user: The user's hash, or `nil` for all users.
    /// - Returns: The number of removed events, and the request.
    package func erase(_ user: UserHash?) -> (count: Int, decision: PrivacyDecision) {
        let (decision, removed) = withLanes { lanes in
            let number = lastNumber + 1
            let decision = PrivacyDecision(number: number, kind: .erasure(user))
            lanes.record(decision)
            lastErasureNumber.store(number, ordering: .releasing)
            publish(number)
            let removed = remove(.erased) {
                $0.number < number && (user == nil || $0.identity.identity.userHash == user)
            }
            return (decision, removed)
        }
        giveUp(removed, .erased)
        return (removed.count, decision)
    }

    /// The decision number of the last decision or erasure of this process.
    ///
    /// Takes no lock.
    package var lastNumber: UInt64 { decisionNumber.load(ordering: .acquiring) }

    /// The decision number of the last erasure of this process.
    ///
    /// Takes no lock.
    package var lastErasure: UInt64 { lastErasureNumber.load(ordering: .acquiring) }

    private func publish(_ number: UInt64) { decisionNumber.store(number, ordering: .releasing) }

    /// The calls that the store has not applied yet, in their order.
    package var unappliedDecisions: [PrivacyDecision] { withLanes { $0.privacy.unapplied } }

    /// The user's and the configuration's decisions in effect, by purpose.
    package var consents: [ConsentPurpose: Consent] { withLanes { $0.privacy.consents } }

    /// Waits for the directory, which applies all unstored decisions again.
    ///
    /// - Parameters:
    ///   - servedLanes: The lanes with a destination.
    ///   - denied: The purposes denied by the configuration.
    package func awaitDirectory(
        serving servedLanes: [ServedLane] = [],
        denied: [ConsentPurpose] = []
    ) {
        withLanes { lanes in
            lanes.privacy.awaitDirectory()
            lanes.privacy.deny(denied)
            lanes.serve(servedLanes)
            lanes.publishConsents()
        }
        served.call()
    }

    /// Prepares the calls of this process for a newly opened directory.
    ///
    /// - Parameters:
    ///   - overruling: The purposes denied by another process while this process has waited for the directory.
    ///   - denied: The purposes denied by the configuration. The denial precedes all calls of this process.
    /// - Returns: This process's decisions replaced by denials, each with the number of the last call so far.
    package func prepareDecisions(
        overruling: Set<ConsentPurpose>,
        denying denied: [ConsentPurpose]
    ) -> [PrivacyDecision.Kind: UInt64] {
        withLanes { lanes in
            let replaced = lanes.privacy.overrule(overruling)
            lanes.privacy.precede(with: denied)
            return replaced.keyed { ($0.kind, lastNumber) }
        }
    }

    /// Removes the buffered events covered by the denials before the opening.
    ///
    /// - Parameters:
    ///   - denied: The purposes denied by the directory or by the configuration.
    ///   - servedLanes: The lanes with a destination.
    package func dropDenied(_ denied: Set<ConsentPurpose>, serving servedLanes: [ServedLane]) {
        let removed = withLanes { lanes in
            lanes.serve(servedLanes)
            let purposes = Set(lanes.lanes.compactMap(\.purpose))
            var allowed: [ConsentPurpose: UInt64] = [:]
            for purpose in purposes {
                allowed[purpose] = lanes.privacy.extendDenial(of: purpose, isDenied: denied.contains(purpose))
            }
            return remove(.consentDenied) { event in
                lanes.lanes[event.lane].purpose.map { event.number < allowed[$0] ?? 0 } ?? false
            }
        }
        giveUp(removed, .consentDenied)
    }

    /// Applies the decisions of the store.
    ///
    /// - Parameters:
    ///   - consents: The user's and the configuration's decisions, including applied calls.
    ///   - fallback: The decision about all other purposes.
    ///   - number: The number of the last applied call.
    ///   - isStored: Whether the applied calls are in the file.
    ///   - erasing: The number of erasures whose events are not deleted yet.
    package func accept(
        _ consents: [ConsentPurpose: Consent],
        fallback: Consent,
        through number: UInt64,
        isStored: Bool,
        erasing: Int = 0
    ) {
        withLanes { lanes in
            lanes.privacy.accept(
                consents,
                fallback: fallback,
                through: number,
                isStored: isStored,
                erasing: erasing
            )
            lanes.publishConsents()
        }
    }

    /// Records that all applied calls are in the file.
    package func forgetStoredDecisions() { withLanes { $0.privacy.forgetStored() } }
}
