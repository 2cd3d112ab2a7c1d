import CoreTracker
import EventOutbox
import EventTracking

/// The exchange of decisions between an app's engine and its extensions' engines.
///
/// It is confined to the store's executor.
final class DecisionExchange {
    private let sharing: DecisionSharing?
    /// The contents of the file, as this process has read or written them last.
    private var file: SharedDecisionsFile?
    /// The greatest decision number of the app applied by this process.
    private(set) var followed: UInt64 = 0
    /// The error of the last access to the file, or `nil`.
    private(set) var failure: OutboxError?

    init(_ sharing: DecisionSharing?) {
        self.sharing = sharing
    }

    /// Whether this engine follows an app whose decisions it cannot read.
    var lacksDecisions: Bool {
        if case .follow = sharing { failure != nil } else { false }
    }

    /// The installation's id of the app, or `nil`.
    var installation: String? {
        if case .follow = sharing { file?.installation } else { nil }
    }

    // MARK: In the app

    /// Continues the decision numbers above the numbers in the file, if this engine is the app's.
    ///
    /// - Parameter row: The stored decisions.
    func continueNumbers(_ row: inout StateRow) {
        guard case .publish = sharing else { return }
        readPublished(row)
        row.number = max(row.number, file?.number ?? 0)
    }

    /// Writes the stored decisions to the file, unless it has them.
    ///
    /// - Parameter row: The stored decisions.
    /// - Throws: The error of the file system. The file is written later.
    func publish(_ row: StateRow) throws(OutboxError) {
        guard case .publish(let shared) = sharing else { return }
        readPublished(row)
        do throws(OutboxError) {
            guard var next = file else { throw failure ?? .missing }
            next.update(row)
            if next != file || failure != nil { try next.write(shared.path) }
            (file, failure) = (next, nil)
        } catch {
            failure = error
            throw error
        }
    }

    private func readPublished(_ row: StateRow) {
        guard case .publish(let shared) = sharing, file == nil else { return }
        do throws(OutboxError) {
            file = try SharedDecisionsFile.read(shared.path) ?? SharedDecisionsFile()
        } catch .corrupt {
            file = SharedDecisionsFile(erasingAllUsersAt: row.number + 1)
        } catch {
            failure = error
        }
    }

    // MARK: In an extension

    /// Reads the app's decisions, and returns the decisions not yet applied, if this engine follows an app.
    ///
    /// - Parameter row: The stored decisions of this engine.
    /// - Returns: The decisions, in the order in which they apply: the denials first.
    func newDecisions(_ row: StateRow) -> [PrivacyDecision.Kind] {
        guard case .follow(let shared) = sharing else { return [] }
        followed = max(followed, row.followed)
        do throws(OutboxError) {
            guard let read = try SharedDecisionsFile.read(shared.path) else { throw .missing }
            (file, failure) = (read, nil)
            defer { followed = max(followed, read.number) }
            return decisions(in: read, row)
        } catch {
            failure = error
            return []
        }
    }

    private func decisions(in file: SharedDecisionsFile, _ row: StateRow) -> [PrivacyDecision.Kind] {
        var kinds: [PrivacyDecision.Kind] = []
        for decision in file.decisions {
            let purpose = ConsentPurpose(decision.purpose)
            let isDenied = decision.denial > followed
            if isDenied { kinds.append(.consent(purpose, .denied)) }
            let known = isDenied ? .denied : row.decisions[decision.purpose]?.consent ?? .unknown
            if decision.consent != known { kinds.append(.consent(purpose, decision.consent)) }
        }
        return kinds + file.erasures.filter { $0.number > followed }.map { .erasure($0.userHash) }
    }
}
