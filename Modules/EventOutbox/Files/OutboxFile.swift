/// The file behind an outbox, and what lies beside it.
package struct OutboxFile: Sendable {
    package let directory: OutboxDirectory
    package let path: String
    package let ballast: Ballast

    package init(directory: OutboxDirectory, path: String) {
        self.directory = directory
        self.path = path
        ballast = Ballast(queue: path)
    }
}
