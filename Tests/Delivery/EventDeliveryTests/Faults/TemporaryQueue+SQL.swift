import EventDeliveryTesting

@testable import EventOutbox

extension TemporaryQueue {
    /// Runs a statement on the file of the first queue, which no engine has open.
    func execute(_ statement: String) throws {
        let connection = try SQLiteConnection(path: path)
        try connection.execute(statement)
        connection.close()
    }
}
