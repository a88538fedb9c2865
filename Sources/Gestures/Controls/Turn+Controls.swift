import Music

// Controls that act once, on `down`.

extension Turn {
    /// Carries out a control, for the client that touched it. The music key, which waits, is none of these.
    mutating func press(_ control: TouchControl, by client: ClientID) {
        switch control {
        case .musicKey: break
        case .playStop: togglePlay(showingAt: .control)
        case .journey(let journey): press(journey, by: client)
        case .scale(let scale): setKey(.setScale(scale))
        case .root(let root): setKey(.setRoot(root))
        case .ghosts: toggleGhosts()
        case .nudge(let nudge): press(nudge)
        case .tapTempo: tapTempo()
        case .nextLength: nextLength()
        case .clear: clear(showingAt: .control, shaking: client)
        case .mute(let track): toggleMute(of: track)
        case .solo(let track): setSolo(document.mix.solo == track ? nil : track)
        }
    }

    /// Presses a button once, or once more.
    mutating func press(_ nudge: Nudge) {
        let control = nudge.control(for: document.pattern)
        set(control)
        if case .setTempo = control { showTempo() } else { showLength() }
    }

    private mutating func press(_ journey: Journey, by client: ClientID) {
        guard canTravel(journey) else { return }
        travel(journey)
        show(journey == .undo ? "UNDO" : "REDO", at: .control)
        shake(client, .rigid)
    }

    private mutating func setKey(_ control: Control) {
        set(control)
        show(key.title, at: .control)
    }

    private mutating func toggleGhosts() {
        set(.setGhosts(!document.showsGhosts))
        show(document.showsGhosts ? "GHOSTS ON" : "GHOSTS OFF", at: .control)
    }

    private mutating func tapTempo() {
        if let tempo = memory.tapTempo.tap(at: now) { set(.setTempo(tempo)) }
        showTempo()
    }

    private mutating func nextLength() {
        let lengths = [8, 16, 24, 32]
        set(.setLength(lengths.first { $0 > length } ?? lengths[0]))
        showLength()
    }

    /// A soloed track sounds even if muted: muting it only ends the solo.
    private mutating func toggleMute(of track: Track) {
        guard document.mix.solo != track else { return setSolo(nil) }
        let isMuted = !document.mix[track].isMuted
        set(.setMute(track, isMuted))
        show(isMuted ? "MUTE \(track.title)" : "UNMUTE", at: .control)
    }

    private mutating func setSolo(_ track: Track?) {
        set(.setSolo(track))
        show(track.map { "SOLO \($0.title)" } ?? "SOLO OFF", at: .control)
    }

    private mutating func showTempo() { show(document.pattern.tempo.title, at: .control) }

    private mutating func showLength() { show("\(length) STEPS", at: .control) }
}
