import Music
import Systemd
import Wire

extension Check {
    /// Whether the limits let sound run in real time, from memory that stays.
    static let rights = Check(name: "rights") { seen in
        let rights = seen.process?.rights ?? seen.shell
        let whose = seen.process == nil ? " (of this shell)" : ""
        guard rights.isEnough else {
            return .fault(
                rights.limits + whose,
                remedy: """
                    join the group audio and give user@.service LimitRTPRIO=95 and LimitMEMLOCK=infinity, then log in anew
                    """)
        }
        return .well(rights.limits + whose)
    }

    /// Whether the audio thread runs in real time.
    static let scheduling = Check(name: "audio thread") { seen in
        guard seen.audio?.status == .running else { return .none("there is none while no sound runs") }
        guard let isRealTime = seen.process?.hasRealTimeThread else {
            return .unknown("the daemon's process cannot be looked at")
        }
        guard isRealTime else {
            return .fault(
                "runs without real-time priority", remedy: "jackd -R with the rights above; for PipeWire install rtkit")
        }
        return .well("runs in real time")
    }
}
