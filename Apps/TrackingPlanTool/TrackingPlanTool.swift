import Foundation
import TrackingPlan

/// Writes, checks and compares the tracking plan of this repository; `Scripts/tracking-plan` calls it.
@main
enum TrackingPlanTool {
    static func main() {
        do {
            let tool = PlanTool(catalogs: Contents.catalogs, services: try Contents.services())
            let result = try tool.run(Array(CommandLine.arguments.dropFirst()))
            print(result.text)
            exit(result.isWell ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(2)
        }
    }
}
