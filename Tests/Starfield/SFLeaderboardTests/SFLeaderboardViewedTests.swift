import CoreTracker
import SFLeaderboard
import Testing

@Suite struct SFLeaderboardViewedTests {
    @Test func `both services get the order and the number of players`() {
        let event = SFLeaderboardViewed(order: .nickname, players: 3)

        let parameters: EventParameters = ["sort": "nickname", "players": 3]
        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "leaderboard_view", parameters: parameters)),
                .awesomeTracking(AwesomeTrackingEvent(name: "leaderboard_viewed", parameters: parameters)),
            ]
        )
    }
}
