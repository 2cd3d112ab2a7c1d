import SFLeaderboard

extension SFPlayer {
    /// The demo's players with their best earlier scores.
    static let demo = [
        SFPlayer(nickname: "CoolMan", score: 540), SFPlayer(nickname: "SeriouslyStuff1022", score: 310),
        SFPlayer(nickname: "ThornSkillex45", score: 980), SFPlayer(nickname: "SrPensionao", score: 120),
        SFPlayer(nickname: "DaromDalashim", score: 760), SFPlayer(nickname: "ItzWatEver90", score: 450),
        SFPlayer(nickname: "ZMilof332", score: 870), SFPlayer(nickname: "Esperpento43531", score: 230),
        SFPlayer(nickname: "HereYourDead102", score: 650), SFPlayer(nickname: "AnotherGuyProgrammer", score: 1_090),
    ]
}
