/// The kinds of files that people take for patterns, by how they begin.
enum OtherFile: String, CaseIterable {
    case midi = "a MIDI file"
    case wave = "a WAV file"
    case aiff = "an AIFF file"
    case flac = "a FLAC file"
    case ogg = "an Ogg file"
    case mp3 = "an MP3 file"
    case zip = "a ZIP archive"
    case gzip = "a gzip archive"
    case png = "a PNG picture"
    case database = "an SQLite database"

    /// The kind of a file's content; nil for others.
    init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(16))
        guard let kind = Self.allCases.first(where: { head.starts(with: $0.beginning) }) else { return nil }
        self = kind
    }

    private var beginning: [UInt8] {
        switch self {
        case .midi: Array("MThd".utf8)
        case .wave: Array("RIFF".utf8)
        case .aiff: Array("FORM".utf8)
        case .flac: Array("fLaC".utf8)
        case .ogg: Array("OggS".utf8)
        case .mp3: Array("ID3".utf8)
        case .zip: Array("PK\u{3}\u{4}".utf8)
        case .gzip: [0x1f, 0x8b]
        case .png: [0x89] + Array("PNG".utf8)
        case .database: Array("SQLite format 3".utf8)
        }
    }
}
