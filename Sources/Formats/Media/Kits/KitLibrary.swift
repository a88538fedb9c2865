import Glibc
import Music
import SystemSupport

/// The performer's sample kits: a directory with a folder for each.
///
/// A kit's folder has sound files for some or all drums: `kick.wav`, `low tom.flac`. Nothing is cached, so that new
/// files are found; every call blocks on the disk.
public struct KitLibrary: Sendable {
    /// Maximum bytes of memory for a kit's samples.
    public static let largestKit = 32 << 20

    /// The names that a kit's files may have, without their extensions.
    public static let drumNames = Drum.allCases.map(\.name)

    /// The directory; it need not exist.
    public let directory: String

    public init(directory: String) {
        self.directory = directory
    }

    /// The names of the kits in the directory, sorted; empty if it is missing or cannot be read.
    ///
    /// Kits are folders that do not have the name of a built-in kit, nor of what macOS puts into archives (`__MACOSX`).
    public var kitNames: [String] {
        let names = (try? names(inDirectory: directory)) ?? []
        return names.filter { $0.isFileName && !Track.rhythm.soundNames.contains($0) && isFolder($0) }
            .sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
    }

    /// All kits without their samples, with the files that cannot be used at a sample rate in Hz.
    public func list(sampleRate: Int) -> [SampleFolder] {
        kitNames.map { SampleFolder($0, at: "\(directory)/\($0)", sampleRate: sampleRate, isForPlaying: false) }
    }

    /// The samples that a document's drums play, at a sample rate in Hz; nil if its kit is built in.
    public func load(for document: Document, sampleRate: Int) -> SampleFolder? {
        document.sampleKit.map { load($0, sampleRate: sampleRate) }
    }

    /// Loads a kit's samples at a sample rate in Hz. An unknown kit has none, and a refusal with the reason.
    public func load(_ name: String, sampleRate: Int) -> SampleFolder {
        SampleFolder(name, at: folder(of: name), sampleRate: sampleRate, isForPlaying: true)
    }

    /// The path of a kit's folder. Its name may be composed otherwise: é as one character, or as e and an accent.
    func folder(of name: String) -> String {
        let folder = isFolder(name) ? name : kitNames.first { $0 == name } ?? name
        return "\(directory)/\(folder)"
    }

    private func isFolder(_ name: String) -> Bool {
        var status = stat()
        return !name.isLeftBySystem && stat("\(directory)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
