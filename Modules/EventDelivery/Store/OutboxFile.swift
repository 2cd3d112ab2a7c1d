/// The file behind an outbox, and what lies beside it.
struct OutboxFile: Sendable {
    let directory: OutboxDirectory
    let path: String
    let ballast: Ballast

    init(directory: OutboxDirectory, path: String) {
        self.directory = directory
        self.path = path
        ballast = Ballast(queue: path)
    }
}
