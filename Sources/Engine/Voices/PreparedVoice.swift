/// A pitched voice made ready: what the next note is given.
struct PreparedVoice: BitwiseCopyable {
    /// Whether the oscillator is a table, which then begins at ``base``; else it is a sine.
    let isTable: Bool
    let base: UInt32
    let filter: BiquadCoefficients

    @_noLocks @_noAllocation
    init(_ voice: PitchedVoice, _ setting: VoiceSetting) {
        switch voice.source {
        case .sine: (isTable, base) = (false, 0)
        case .table(let table): (isTable, base) = (true, table.base)
        }
        filter = PreparedFilter(FilterDescription(.lowPass, frequency: voice.cutoff), setting).coefficients
    }
}
