import CoreTracker
import EventDelivery
import EventDeliveryTesting
import FeatureFlags

/// The calls of the public API, with checks of their results.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Life {
    /// Performs an operation.
    ///
    /// Long waits use a separate task.
    func perform(_ operation: Operation, caller: Int) async {
        world.cover(operation)
        world.log("caller \(caller): \(operation)")
        become(caller)
        switch operation {
        case .track(let lane, let count, let options, let payload, let scope):
            enter(scope) {
                for _ in 0..<count { track(lane, options, payload, scope) }
            }
        case .trackForReceipt(let lane, let options, let scope):
            // The task inherits the scope.
            enter(scope) {
                _ = spawn("receipt") { await self.track(lane, options, scope, caller) }
            }
        case .setConsent(let consent, let purpose):
            spawn("setConsent") { await self.setConsent(consent, purpose: purpose) }
        case .identify(let user):
            oracle.look { $0.user = Users.id(user) }
            engine.user.identify(Users.id(user))
        case .clearUser:
            oracle.look { $0.user = "" }
            engine.user.clear()
        case .startSession:
            let now = scheduler.now
            oracle.look { $0.startSession(now: now) }
            engine.startSession()
        case .showVariant(let variant, let scope): enter(scope) { showVariant(variant, scope) }
        case .reset: spawn("reset") { await self.reset() }
        case .flush(let milliseconds): spawn("flush") { await self.flush(milliseconds) }
        case .cancelledFlush(let milliseconds): await cancelledFlush(milliseconds)
        case .storeBuffered: spawn("storeBuffered") { await self.storeBuffered() }
        case .resume: spawn("resume") { await self.engine.resume() }
        case .statistics: spawn("statistics") { await self.statistics() }
        case .explain: spawn("explain") { await self.explain() }
        case .audit: spawn("audit") { await self.audit() }
        case .retryQuarantined: spawn("retryQuarantined") { await self.changeQuarantine(isRetry: true) }
        case .discardQuarantined: spawn("discardQuarantined") { await self.changeQuarantine(isRetry: false) }
        case .erase(let user): spawn("erase") { await self.erase(Users.id(user)) }
        case .eraseEverything: spawn("eraseEverything") { await self.erase(nil) }
        case .hold(let lane):
            engine.hold(SimulatedDestination(number: lane).lane, reason: .maintenance)
            oracle.look { $0.hold(lane: lane) }
        case .release: release()
        case .suspendStorage: spawn("suspendStorage") { await self.suspendStorage() }
        case .resumeStorage: spawn("resumeStorage") { await self.resumeStorage() }
        case .setQuotas(let document): spawn("setQuotas") { await self.setQuotas(document) }
        case .openAgain: spawn("openAgain") { await self.openAgain() }
        case .close(let milliseconds): spawn("close") { await self.close(milliseconds, caller: caller) }
        case .network(let lane, let weather): world.network.set(weather, lane: lane)
        case .jump(let seconds):
            oracle.look { $0.hasJumped = true }
            world.offset.jump(bySeconds: seconds)
        case .disk(let weather):
            let now = scheduler.now
            world.disk?.weather = weather
            oracle.look { $0.change(weather, now: now) }
        case .freeze(let milliseconds): freeze(milliseconds)
        }
    }

    private func parameters(_ number: Int, _ payload: Operation.Payload) -> EventParameters {
        payload == .rule ? ["n": .int(number), "rule": true] : ["n": .int(number)]
    }

    func release() {
        oracle.look { $0.release() }
        engine.release(reason: .maintenance)
    }

    /// Runs a closure in a scope, whose session an inner scope sets.
    private func enter(_ scope: Int?, _ body: () -> Void) {
        guard let scope else { return body() }
        // The events' own numbers override the scope's.
        withTracking(user: Scopes.user(of: scope), parameters: ["n": -1]) {
            withTracking(session: Scopes.session(of: scope), body)
        }
    }

    /// Shows a variant of a feature flag, and checks the default parameters and the exposures.
    private func showVariant(_ variant: Int, _ scope: Int?) {
        let now = scheduler.now
        oracle.look { $0.noteActivity(in: scope, now: now) }
        try? flags.setFlag("f", "\(variant)", tracker: exposures, on: engine)
        let (found, count) = (flags.defaults["flag_f"], exposures.take())
        oracle.look { $0.showed(variant, scope, found: found, exposures: count) }
    }

    private func recordTrack(_ lane: Int, _ options: TrackOptions, _ payload: Operation.Payload, _ scope: Int?) -> Int {
        let now = scheduler.now
        return oracle.look { $0.track(lane: lane, options, payload, scope: scope, now: now) }
    }

    private func track(_ lane: Int, _ options: TrackOptions, _ payload: Operation.Payload, _ scope: Int?) {
        let number = recordTrack(lane, options, payload, scope)
        engine.lane(SimulatedDestination(number: lane).lane)
            .track("e\(number % 3)", parameters: parameters(number, payload), options: options)
    }

    private func track(_ lane: Int, _ options: TrackOptions, _ scope: Int?, _ caller: Int) async {
        become(caller)
        let number = recordTrack(lane, options, .plain, scope)
        let receipt = await engine.lane(SimulatedDestination(number: lane).lane)
            .trackUntilStored("e\(number % 3)", parameters: parameters(number, .plain), options: options)
        world.log("receipt of \(number): \(receipt.outcome)")
        oracle.look { $0.record(receipt, of: number) }
    }

    /// Sets a decision, and returns whether it is stored.
    @discardableResult
    func setConsent(_ consent: Consent, purpose: Int) async -> Bool {
        let (number, before) = oracle.look { ($0.setConsent(consent, about: purpose), $0.events.count) }
        let isReserved = world.disk?.isReserved == true
        var failure: DecisionError?
        do throws(DecisionError) {
            try await engine.setConsent(consent, for: Lanes.purposes[purpose])
        } catch {
            failure = error
        }
        world.log("\(consent) for \(Lanes.purposes[purpose].name) \(failure.map { "throws \($0)" } ?? "returns")")
        if isReserved { checkStored(failure) }
        // Events of a stored denial are never sent, even if their bytes are not deleted yet.
        let isStored = if case .notYetClean = failure { true } else { failure == nil }
        oracle.look { $0.returned(consent, number, about: purpose, said: before, isDone: isStored) }
        guard consent == .denied, failure == nil else { return isStored }
        if let disk = world.disk, oracle.look({ $0.words[purpose].count == number }) {
            let files = disk.files(with: Lanes.mark(of: purpose))
            if !files.isEmpty { oracle.report(.consentBytes, "\(files)") }
        }
        let stored = await engine.storedEvents()
        let isLast = oracle.look { $0.words[purpose].count == number && !$0.isClosing }
        guard isLast else { return isStored }
        for lane in 0..<Lanes.count where Lanes.purpose(of: lane) == purpose {
            let found = stored[SimulatedDestination(number: lane).lane]
            guard let found, found.pending + found.quarantined > 0 else { continue }
            oracle.report(.consentStored, "\(found.pending) and \(found.quarantined) on lane \(lane)")
        }
        return isStored
    }

    /// Reports a decision refused for lack of space although the disk had a reserve for it.
    func checkStored(_ failure: DecisionError?) {
        guard case .notStored(.full) = failure, world.disk?.isReserved == true else { return }
        oracle.report(.decisionReserved, "\(failure.map { "\($0)" } ?? "")")
    }

    /// Passes a quotas document to the engine.
    private func setQuotas(_ number: Int) async {
        let (isMalformed, now) = (QuotasDocuments.isMalformed(number), scheduler.now)
        let call = isMalformed ? 0 : oracle.look { $0.setQuotas(number, now: now) }
        var failure: QuotasError?
        do throws(QuotasError) {
            try await engine.setQuotas(document: QuotasDocuments.all[number].utf8)
        } catch {
            failure = error
        }
        world.log("quotas \(number) \(failure.map { "throw \($0)" } ?? "return")")
        let isStored = failure == nil
        let isRejected = if case .notStored? = failure { false } else { !isStored }
        oracle.look { state in
            if isRejected != isMalformed { state.report(.quotasRejected, "document \(number)") }
            if isStored, state.quotas.count == call { state.quotas.isStored = true }
        }
    }

    private func reset() async {
        let now = scheduler.now
        oracle.look { $0.becomeAnother(now: now) }
        await engine.reset()
    }

    @discardableResult
    func flush(_ milliseconds: Int) async -> FlushReport {
        let begin = runningTime
        let before = oracle.look { $0.events.count }
        let report = await engine.flush(timeout: .milliseconds(milliseconds))
        let took = runningTime - begin
        world.log("flush returns: \(report.lanes.map(\.outcome))")
        oracle.look { state in
            if took > Int64(milliseconds) * 1_000_000 + Life.slack {
                state.report(.flushDeadline, "\(Double(took) / 1e9) s instead of \(Double(milliseconds) / 1e3)")
            }
            state.check(report, before: before)
        }
        return report
    }

    private func cancelledFlush(_ milliseconds: Int) async {
        let flush = spawn("flush") {
            let report = await self.engine.flush(timeout: .milliseconds(milliseconds))
            self.oracle.look { $0.check(report, before: 0) }
        }
        await scheduler.pause(Int64(milliseconds) * 500_000)
        let begin = runningTime
        flush.cancel()
        await flush.value
        let took = runningTime - begin
        if took > Life.slack { oracle.report(.flushCancelled, "\(took) ns") }
    }

    private func storeBuffered() async {
        let (before, life) = oracle.look { ($0.events.count, $0.life) }
        let isSteady = oracle.look { $0.isOpen && !$0.isClosing && $0.steadySince < .max }
        await engine.storeBuffered()
        if isSteady { oracle.look { $0.stored(before: before, life: life) } }
    }

    private func statistics() async {
        let before = oracle.look { $0.lanes.map(\.tracked) }
        let unstored = engine.unstoredCount
        let statistics = await engine.statistics()
        oracle.look { $0.check(statistics, trackedBefore: before, unstoredBefore: unstored) }
    }

    func audit() async {
        // Unreadable events cannot be counted, and a torn file may count an event twice.
        let now = scheduler.now
        let isQuiet = oracle.look { !$0.isTorn && !$0.isClosing && (!$0.isStored || $0.steadySince <= now) }
        do {
            try await LedgerCheck.check(engine)
        } catch {
            guard isQuiet, oracle.look({ !$0.isClosing && (!$0.isStored || $0.steadySince <= now) }) else { return }
            oracle.report(.ledgerBalance, "\(error)")
        }
    }

    private func explain() async {
        let known = oracle.look { $0.events.last { !$0.id.isEmpty }?.id }
        if let known { await explain(known) }
    }

    func explain(_ text: String) async {
        guard let id = EventID(text), let explanation = await engine.explain(id) else { return }
        let now = scheduler.now
        oracle.look { $0.check(explanation, of: text, now: now) }
    }

    private func changeQuarantine(isRetry: Bool) async {
        let ids = await engine.quarantine.events().map(\.id)
        let texts = ids.map(\.description)
        oracle.look { state in
            state.checkQuarantined(texts)
            for text in texts {
                guard let number = state.serials[text] else { continue }
                state.events[number].isPutBack = true
                if !isRetry { state.events[number].excuse = state.events[number].excuse ?? "discarded" }
            }
        }
        if isRetry {
            await engine.quarantine.retry(Set(ids))
        } else {
            await engine.quarantine.discard(Set(ids))
        }
    }

    private func openAgain() async {
        // Without an open engine, this call would open it.
        guard oracle.look({ $0.isOpen }) else { return }
        do {
            try await engine.open(world.configuration(of: self))
            oracle.report(.openOnce, "a second opening does not throw")
        } catch {}
    }

    func close(_ milliseconds: Int, caller: Int) async {
        let (begin, frozen) = (runningTime, frozenTime)
        checkAsleep()
        // A second close returns together with the first one.
        let isFirst = oracle.look { state in
            defer { state.beginClosing() }
            return !state.isClosing
        }
        let report = await engine.close(timeout: .milliseconds(milliseconds))
        let took = runningTime - begin
        world.log("close returns")
        // Without an end in time, the engine stops later. The timeout also passes while the process is frozen.
        if isFirst, took < Int64(milliseconds + 1_000) * 1_000_000, frozenTime == frozen {
            let statistics = await engine.statistics()
            oracle.look { $0.closed(statistics) }
        }
        oracle.look { state in
            if isFirst, took > Int64(milliseconds + 1_000) * 1_000_000 + Life.slack {
                state.report(.closeDeadline, "\(Double(took) / 1e9) s instead of \(Double(milliseconds) / 1e3)")
            }
            // A second close returns the report of the first one.
            if !state.hasClosed { state.check(report, before: 0) }
            state.hasClosed = true
        }
    }
}
