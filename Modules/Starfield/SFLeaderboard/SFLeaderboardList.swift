#if canImport(SwiftUI)
public import SwiftUI

/// A SwiftUI list of the leaderboard, which a ``SFLeaderboardPresenter`` controls.
public struct SFLeaderboardList: View {
    @StateObject private var screen = Screen()
    private let presenter: SFLeaderboardPresenter

    /// Creates a list.
    ///
    /// - Parameter presenter: The presenter that supplies the players. The list becomes its view.
    public init(presenter: SFLeaderboardPresenter) {
        self.presenter = presenter
    }

    public var body: some View {
        VStack {
            HStack {
                Button("Score") { presenter.sort(by: .score) }
                Button("Nickname") { presenter.sort(by: .nickname) }
            }
            List(screen.players) { player in
                HStack {
                    Image(systemName: "star.circle").foregroundStyle(.green)
                    Text(player.nickname).bold()
                    Text(String(player.score))
                }
            }
            Text(screen.failure)
        }
        .onAppear {
            presenter.view = screen
            presenter.appear()
        }
    }
}

/// The state, changed by the presenter and observed by SwiftUI.
@MainActor
private final class Screen: ObservableObject, SFLeaderboardView {
    @Published var players: [SFPlayer] = []
    @Published var failure = ""

    func show(_ players: [SFPlayer], by order: SFPlayerOrder) {
        self.players = players
        failure = ""
    }

    func showFailure(_ error: SFRepositoryError) {
        failure = "\(error)"
    }
}
#endif
