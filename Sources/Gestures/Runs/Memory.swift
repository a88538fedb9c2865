import Grid

/// What fingers that were lifted leave behind for those that follow.
struct Memory: Sendable {
    var taps = QuickTaps()
    var swipes = Swipes()
    var tapTempo = TapTempo()
    var pickUps = PickUps()

    mutating func forget(_ client: ClientID) {
        taps.forget(client)
        swipes.forget(client)
        pickUps.letGo(by: client)
    }
}
