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

    /// The unstored calls, with their decision numbers in the stored form.
    package var unstoredDecisions: [PrivacyDecision] {
        withLanes { lanes in
            lanes.privacy.unstored.map {
                PrivacyDecision(number: lanes.privacy.numbers.stored($0.number), kind: $0.kind)
            }
        }
    }

    /// The user's and the configuration's decisions in effect, by purpose.
    package var consents: [ConsentPurpose: Consent] { withLanes { $0.privacy.consents } }

    /// Waits for the directory: decisions are in effect at once, and are numbered from 0.
    ///
    /// - Parameters:
    ///   - servedLanes: The lanes with a destination.
    ///   - denied: The purposes denied by the configuration.
    package func awaitDirectory(
        serving servedLanes: [ServedLane] = [],
        denied: [ConsentPurpose] = []
    ) {
        withLanes { lanes in
            lanes.privacy.awaitDirectory(after: lastNumber)
            lanes.privacy.deny(denied)
            lanes.serve(servedLanes)
            lanes.publishConsents()
        }
        served.call()
    }

    /// Continues the decision numbers of a directory that this process now holds.
    ///
    /// - Parameters:
    ///   - greatest: The greatest stored decision number.
    ///   - overruling: The stored decision about each purpose with a denial not yet seen by this process.
    ///   - denied: The purposes denied by the configuration. The denial precedes all calls of this process.
    /// - Returns: This process's decisions replaced by stored ones, each with the decision number of the last call so
    ///   far.
    package func continueNumbers(
        after greatest: UInt64,
        overruling: [ConsentPurpose: Consent],
        denying denied: [ConsentPurpose]
    ) -> [PrivacyDecision.Kind: UInt64] {
        withLanes { lanes in
            let replaced = lanes.privacy.continueNumbers(after: greatest, overruling: overruling)
            lanes.privacy.precede(with: denied)
            return Dictionary(replaced.map { ($0.kind, lastNumber) }) { first, _ in first }
        }
    }

    /// Applies the decisions of a directory, and removes the buffered events covered by a denial.
    ///
    /// - Parameters:
    ///   - stored: The stored decisions by purpose, including this process's decisions.
    ///   - fallback: The decision about all other purposes.
    ///   - denied: The purposes denied before this process's decisions.
    ///   - number: The decision number of this process's last stored call, in the stored form, or `nil` if the disk has
    ///     refused the others.
    ///   - servedLanes: The lanes with a destination.
    package func applyStoredDecisions(
        _ stored: [ConsentPurpose: Consent],
        fallback: Consent,
        denied: Set<ConsentPurpose>,
        through number: UInt64?,
        serving servedLanes: [ServedLane]
    ) {
        let removed = withLanes { lanes in
            lanes.serve(servedLanes)
            let purposes = Set(lanes.lanes.compactMap(\.purpose))
            let allowed = Dictionary(
                uniqueKeysWithValues: purposes.map {
                    ($0, lanes.privacy.firstAllowedNumber(for: $0, isDenied: denied.contains($0)))
                }
            )
            lanes.privacy.accept(stored, fallback: fallback, through: number.map(lanes.privacy.numbers.local))
            lanes.publishConsents()
            return remove(.consentDenied) { event in
                lanes.lanes[event.lane].purpose.map { event.number < allowed[$0] ?? 0 } ?? false
            }
        }
        giveUp(removed, .consentDenied)
        served.call()
    }

    /// Applies stored decisions.
    ///
    /// - Parameters:
    ///   - stored: The stored decisions by purpose.
    ///   - fallback: The decision about all other purposes.
    ///   - number: The decision number of this process's last stored call, in the stored form, or `nil` if the disk has
    ///     refused the others.
    package func accept(_ stored: [ConsentPurpose: Consent], fallback: Consent, through number: UInt64?) {
        withLanes { lanes in
            lanes.privacy.accept(stored, fallback: fallback, through: number.map(lanes.privacy.numbers.local))
            lanes.publishConsents()
        }
    }
}
