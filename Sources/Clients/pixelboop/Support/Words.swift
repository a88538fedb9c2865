import Grid
import Instrument
import Music
import Wire

// The daemon's messages in words.

extension Double {
    /// With at most two decimals and no more than needed: `120`, `127.3`.
    var inWords: String {
        let hundredths = (self * 100).rounded()
        guard let exact = Int(exactly: hundredths) else { return description }
        let (whole, fraction) = (abs(exact) / 100, abs(exact) % 100)
        let sign = exact < 0 ? "-" : ""
        if fraction == 0 { return "\(sign)\(whole)" }
        let digits = (fraction < 10 ? "0" : "") + String(fraction)
        return "\(sign)\(whole)." + (digits.hasSuffix("0") ? String(digits.dropLast()) : digits)
    }
}

extension TransportStatus {
    var inWords: String {
        let place = state == .stopped && step == 0 ? "" : ", step \(step)"
        return state.rawValue + place + (record ? ", recording" : "")
    }
}

extension TrackState {
    /// The parameters in a track's line.
    static let inLine: Set<Parameter> = [.mute, .solo, .gain, .pan]

    func inWords(of track: Track) -> String {
        let on = values[.solo]?.isOn == true ? "solo" : values[.mute]?.isOn == true ? "muted" : "on"
        let pan = values[.pan]?.number ?? 0
        let place =
            pan == 0 ? "centre" : "\((abs(pan) * 100).inWords) % \(pan < 0 ? "left" : "right")"
        return "\(track.name.padded(to: 6))  \(on.padded(to: 5))  \((values[.gain]?.number ?? 0).inWords) dB, \(place)"
    }
}

extension AudioState {
    var inWords: String {
        switch status {
        case .running:
            (driver == .own ? "internal driver" : "running") + (rate.map { ", \($0) Hz" } ?? "")
                + (period.map { ", \($0) frames a period" } ?? "")
        case .noServer, .lost, .off: reason.isEmpty ? status.rawValue : "\(status.rawValue): \(reason)"
        }
    }
}

extension InstrumentState {
    var inWords: String {
        var lines = [
            transport.inWords,
            "\(bpm.inWords) BPM, \(root.name) \(scale.name), \(length) steps, swing \(swing.inWords)",
        ]
        lines.append("sync     \(syncInWords ?? SyncSource.own.name)")
        lines.append("scene    \(sceneInWords)")
        lines += zip(Track.allCases, slots).map { track, slots in
            let sound = self[track].values[track == .rhythm ? .kit : .preset]?.name
            return [self[track].inWords(of: track), sound, slots.inWords].compactMap(\.self).joined(separator: ", ")
        }
        lines.append("history  \(history.undo) to undo, \(history.redo) to redo")
        if !patternName.isEmpty { lines.append("pattern  \(patternName)") }
        lines.append("audio    \(audio.inWords)")
        if storage.status == .failing { lines.append("storage  failing: \(storage.reason)") }
        if let stoppage = storage.takes { lines.append("takes    not kept: \(stoppage)") }
        return lines.joined(separator: "\n")
    }
}

extension InstrumentState {
    /// The sync settings and their effect; nil without sync.
    var syncInWords: String? {
        let source = settings[.syncSource].name ?? SyncSource.own.name
        let lead = settings[.syncLead].names ?? []
        var parts: [String] = []
        if sync.following != .own {
            parts.append(
                "following \(sync.following.name) at \(sync.bpm.inWords) BPM\(sync.locked ? "" : ", not locked")")
        } else if source != SyncSource.own.name {
            parts.append("\(source), alone at \(sync.bpm.inWords) BPM")
        }
        let led = sync.leading.map(\.name)
        if !led.isEmpty { parts.append("leading \(led.joined(separator: ", "))") }
        let waiting = lead.filter { !led.contains($0) }
        if !waiting.isEmpty { parts.append("waiting to lead \(waiting.joined(separator: ", "))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension InstrumentState {
    /// The playing scene, if all tracks play slots of the same number, and the scenes that follow.
    fileprivate var sceneInWords: String {
        let playing = Set(slots.map(\.playing))
        let scene = playing.count == 1 ? playing.map(String.init).joined() : "none: the tracks play slots of several"
        return scene + following(scenes.queued, scenes.chain)
    }
}

extension TrackSlots {
    /// `slot 1, then 3, notes in 1 3`
    fileprivate var inWords: String {
        let notes = filled.isEmpty ? "no notes" : "notes in \(filled.map(String.init).joined(separator: " "))"
        return "slot \(playing)\(following(queued, chain)), \(notes)"
    }
}

/// What plays next: `, then 3`, `, in turn 1 2 3`
private func following(_ queued: Int?, _ chain: [Int]) -> String {
    (queued.map { ", then \($0)" } ?? "")
        + (chain.isEmpty ? "" : ", in turn \(chain.map(String.init).joined(separator: " "))")
}

extension Statistics {
    var inWords: String {
        var lines = [
            "uptime   \(uptime.inWords) s",
            "audio    \(audio.state.inWords)",
            "         \(audio.xruns) xruns, load \((audio.load * 100).inWords) %, worst \(audio.worst.inWords) us",
            "frames   \(frames.sent) sent, \(frames.dropped) dropped",
            "errors   \(errors) in notifications",
            "memory   \((Double(memory) / 1_048_576).inWords) MiB",
            "clients  \(clients.count)",
        ]
        if audio.droppedNotices > 0 {
            lines.insert("         \(audio.droppedNotices) notices of the audio thread lost", at: 3)
        }
        if midi != MidiCounts() {
            lines.insert(
                "midi     \(midi.delayed) messages delayed, \(midi.skipped) skipped, \(midi.echoes) echoes", at: 3)
        }
        lines += clients.map { client in
            let name = client.name.isEmpty ? "" : " \(client.name)"
            return "  \(client.id)\(name): \(client.frames.sent) frames sent, \(client.frames.dropped) dropped"
                + (client.audio.map { ", \($0.sent) blocks of audio, \($0.dropped) left out" } ?? "")
        }
        return lines.joined(separator: "\n")
    }
}

extension TouchOutcome {
    var inWords: String {
        guard let gesture else { return "" }
        guard let notes, notes > 0 else { return gesture }
        return "\(gesture): \(notes) \(notes == 1 ? "note" : "notes")"
    }
}

extension String {
    /// Padded with spaces to a width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// The same with the spaces in front, as for numbers.
    func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
