import Music
import SystemSupport

/// The content of a kit's folder.
public struct SampleFolder: Sendable {
    /// A file that cannot be used.
    public struct Refusal: Equatable, Sendable {
        /// The file's name, or the folder's if that cannot be read.
        public let file: String
        public let error: SampleError
    }

    /// A file that ends before it should, and is played as far as it goes.
    public struct TruncatedFile: Equatable, Sendable {
        public let file: String
        public let truncation: Truncation
    }

    /// The kit's name, which is the folder's.
    public let name: String
    /// For each `Music.Drum`, in order: one channel, full scale 1; nil for a drum without a sample, and empty arrays
    /// if the files were only checked.
    public private(set) var samples = [[Float]?](repeating: nil, count: Drum.allCases.count)
    /// For each `Music.Drum`, in order: its place from -1, left, to 1.
    public private(set) var places = [Float](repeating: 0, count: Drum.allCases.count)
    /// For each `Music.Drum`, in order: by what its sample is found again; nil for a drum without one, and if the files were
    /// only checked.
    public private(set) var prints = [SamplePrint?](repeating: nil, count: Drum.allCases.count)
    /// The files that cannot be used, sorted by name.
    public private(set) var refusals: [Refusal] = []
    /// The files that are played, and end before they should, sorted by name.
    public private(set) var truncated: [TruncatedFile] = []

    /// What people should know about the files, each with its name.
    public var problems: [String] {
        refusals.map { "\($0.file): \($0.error)" } + truncated.map { "\($0.file): \($0.truncation)" }
    }

    /// The drums that have a sample, in order.
    public var drums: [Drum] { Drum.allCases.filter { samples[$0.rawValue] != nil } }

    /// Reads a folder as it is now; files may be added, removed and changed meanwhile. If the task is cancelled, the
    /// rest is skipped.
    ///
    /// - Parameters:
    ///   - sampleRate: In Hz.
    ///   - isForPlaying: Whether to keep the samples, at this rate.
    init(_ name: String, at path: String, sampleRate: Int, isForPlaying: Bool) {
        self.name = name
        do throws(FileError) {
            let files = try name.isLeftBySystem ? [] : names(inDirectory: path).filter { !$0.isLeftBySystem }.sorted()
            var room = KitLibrary.largestKit
            var used: [Drum: String] = [:]
            for file in files where !Task.isCancelled {
                do throws(SampleError) {
                    if file.lowercased() == KitPlaces.fileName {
                        places = try KitPlaces(path: "\(path)/\(file)").places
                        continue
                    }
                    let drum = try SampleFolder.drum(of: file, used)
                    let sample = try SampleFile(path: "\(path)/\(file)", isHashed: isForPlaying)
                    let size = sample.frames(at: sampleRate) * MemoryLayout<Float>.size
                    guard size <= room else { throw .noRoom }
                    room -= size
                    used[drum] = file
                    sample.truncation.map { truncated.append(.init(file: file, truncation: $0)) }
                    samples[drum.rawValue] = []
                    if isForPlaying { prepare(sample, as: drum, sampleRate: sampleRate) }
                } catch {
                    refusals.append(Refusal(file: file, error: error))
                }
            }
        } catch {
            refusals.append(Refusal(file: name, error: .io(reason: error.reason)))
        }
    }

    private mutating func prepare(_ file: SampleFile, as drum: Drum, sampleRate: Int) {
        let prepared = file.samples(at: sampleRate)
        samples[drum.rawValue] = prepared
        prints[drum.rawValue] = file.hash.map { SamplePrint(file: $0, samples: ContentHash.of(prepared)) }
    }

    /// The drum that a file is named after, unless another file is used for it.
    private static func drum(of file: String, _ used: [Drum: String]) throws(SampleError) -> Drum {
        let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
        guard let drum = Drum.allCases.first(where: { $0.title.lowercased() == stem.lowercased() }) else {
            throw .unknownDrum
        }
        if let file = used[drum] { throw .alreadyThere(file: file) }
        return drum
    }
}

extension String {
    /// Whether a file or folder has the name of one that systems put everywhere, and into archives.
    var isLeftBySystem: Bool {
        hasPrefix(".") || ["__macosx", "thumbs.db", "desktop.ini"].contains(lowercased())
    }
}
