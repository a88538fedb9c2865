import PixelBoopClient
import Wire

extension Check {
    /// What calls the daemon for sound, at which rate and period.
    static let server = Check(name: "sound") { seen in
        let names = seen.servers.sorted().joined(separator: ", ")
        let servers = names.isEmpty ? "no JACK server runs" : "runs: \(names)"
        guard let audio = seen.audio else { return .none(servers) }
        guard audio.status != .running else { return .well(audio.description(of: seen.process)) }
        let remedy =
            if seen.servers.contains(where: { $0.hasPrefix("jackd") }) {
                "start jackd as the daemon's user, with the name that jack-server says; or pixelboopd --driver internal"
            } else if seen.servers.contains("pipewire") {
                "run the daemon with PipeWire's library: pw-jack pixelboopd; or pixelboopd --driver internal"
            } else {
                "start JACK, as by jackd -d alsa, and the daemon joins it; or pixelboopd --driver internal"
            }
        return .fault("\(audio.inWords) (\(servers))", remedy: remedy)
    }

    /// Where the sound goes.
    static let ports = Check(name: "ports") { seen in
        guard let audio = seen.audio, audio.status == .running else {
            return .none("there are none while no sound runs")
        }
        guard audio.driver == .jack else { return .none("the internal driver has none: pixelboop listen") }
        guard let ports = seen.answers?.ports else { return .unknown("the daemon is too old to say") }
        let connected = ports.filter { !$0.connections.isEmpty }
        let words = connected.map { "\($0.name) to \($0.connections.joined(separator: " and "))" }
        let isHeard = connected.contains { !["midi_in", "midi_out", "clock_out"].contains($0.name) }
        guard isHeard else {
            return .fault(
                "no audio port is connected" + (words.isEmpty ? "" : "; \(words.joined(separator: ", "))"),
                remedy: "jack_connect pixelboop:main_L system:playback_1, and main_R to playback_2; it is remembered")
        }
        return .well(words.joined(separator: ", "))
    }

    /// Whether periods were lost lately.
    static let xruns = Check(name: "xruns") { seen in
        guard let audio = seen.answers?.statistics?.audio else { return .none("nobody counts") }
        guard audio.xrunsLastHour == 0 else {
            return .fault(
                "\(audio.xrunsLastHour) in the last hour, \(audio.xruns) since the start",
                remedy: "a longer period, the rights above, or cpupower frequency-set -g performance")
        }
        return .well("none in the last hour, \(audio.xruns) since the start")
    }

    /// Whether the callback leaves time to others.
    static let load = Check(name: "load") { seen in
        guard let audio = seen.answers?.statistics?.audio, audio.state.status == .running else {
            return .none("there is none while no sound runs")
        }
        let words = "\((audio.load * 100).inWords) % of each period, at worst \(audio.worst.inWords) us"
        guard audio.load < 0.7 else {
            return .fault(words, remedy: "a longer period, or a faster machine; end what else computes")
        }
        return .well(words)
    }
}

extension AudioState {
    /// `JACK, 48000 Hz, 128 frames a period (2.67 ms)`
    fileprivate func description(of process: Examination.Process?) -> String {
        let name =
            switch (driver, process?.usesPipeWire) {
            case (.own, _): "internal driver"
            case (.jack, true?): "PipeWire"
            case (.jack, false?): "JACK"
            case (.jack, nil): "JACK or PipeWire"
            }
        guard let rate, let period else { return name }
        return "\(name), \(rate) Hz, \(period) frames a period (\((Double(period) * 1000 / Double(rate)).inWords) ms)"
    }
}
