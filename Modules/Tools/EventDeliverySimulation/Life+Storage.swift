import EventDelivery

/// Erasures, and suspensions of the storage.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension Life {
    /// Erases a user's events, or everything.
    func erase(_ user: String?) async {
        let now = scheduler.now
        let number = oracle.look { state in
            if user == nil { state.becomeAnother(now: now) }
            return state.beginErasing(user)
        }
        let isReserved = world.disk?.isReserved == true
        let result: Result<Int, DecisionError>
        do throws(DecisionError) {
            if let user {
                result = .success(try await engine.erase(user: user))
            } else {
                result = .success(try await engine.eraseEverything())
            }
        } catch {
            result = .failure(error)
        }
        world.log("erasure of \(user ?? "everything") returns: \(result)")
        if isReserved, case .failure(let error) = result { checkStored(error) }
        let isLast = oracle.look { $0.erased(number, result) }
        guard isLast, let disk = world.disk else { return }
        let files = (user.map { [$0] } ?? Lanes.marks).flatMap { disk.files(with: $0) }
        if !files.isEmpty { oracle.report(.erasureBytes, "\(files)") }
    }

    func suspendStorage() async {
        let call = oracle.look { $0.beginSuspending() }
        await engine.suspendStorage()
        let isAsleep = oracle.look { $0.suspended(call) }
        world.log("suspendStorage returns")
        if isAsleep, let disk = world.disk { sleep(disk.contents) }
    }

    func resumeStorage() async {
        checkAsleep()
        let call = oracle.look { $0.beginResuming() }
        await engine.resumeStorage()
        let now = scheduler.now
        oracle.look { $0.resumed(call, now: now) }
        world.log("resumeStorage returns")
    }

    /// Checks the files for changes since the storage was suspended.
    func checkAsleep() {
        guard oracle.look({ $0.isSuspended }), let disk = world.disk, let before = asleep else { return }
        let now = disk.contents
        let changed = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }.sorted()
        if !changed.isEmpty { oracle.report(.suspended, "\(changed)") }
    }
}
