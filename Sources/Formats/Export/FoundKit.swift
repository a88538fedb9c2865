import Engine
import Media
import Music

/// A kit of samples that a take played, and that was looked for.
public struct FoundKit {
    /// What there is of it; nil for nothing.
    public var kit: SampleKit?
    /// The drums that are missing or have changed.
    public var changedDrums: [Drum]

    public init(_ kit: SampleKit?, changedDrums: [Drum]) { (self.kit, self.changedDrums) = (kit, changedDrums) }

    /// Nothing was found.
    public init(without kit: KitFingerprint) {
        self.init(nil, changedDrums: kit.drums.compactMap { Drum(rawValue: $0.drum) })
    }

    /// Finds a kit's files under any name in a folder with kits, and prepares them for a rate in Hz. For files that are gone, what
    /// the kit's folder has for their drums is taken.
    public init(_ wanted: KitFingerprint, in library: KitLibrary, sampleRate: Int) {
        self.init(nil, changedDrums: [])
        let files = library.find(Set(wanted.drums.map(\.file)), beginningWith: wanted.name)
        lazy var folder = library.load(wanted.name, sampleRate: sampleRate)
        var samples = [[Float]?](repeating: nil, count: Drum.allCases.count)
        var places = [Float](repeating: 0, count: Drum.allCases.count)
        for print in wanted.drums {
            guard let drum = Drum(rawValue: print.drum) else { continue }
            places[print.drum] = print.place
            if let path = files[print.file], let found = library.prepare(path, sampleRate: sampleRate) {
                samples[print.drum] = found.samples
                // At another rate there is nothing to compare.
                if sampleRate != wanted.sampleRate || found.print.samples == print.samples { continue }
            } else {
                samples[print.drum] = folder.samples[print.drum]
            }
            changedDrums.append(drum)
        }
        guard samples.contains(where: { $0 != nil }) else { return }
        kit = SampleKit(sampleRate: Double(sampleRate), samples: samples, places: places)
    }
}

extension SampleKit {
    /// The samples of a folder that were loaded to be played, with the fingerprint by which takes find them again; nil if there
    /// are none.
    ///
    /// - Parameter sampleRate: At which they were loaded, in Hz.
    public convenience init?(_ folder: SampleFolder, sampleRate: Int) {
        guard !folder.drums.isEmpty else { return nil }
        let prints = folder.drums.compactMap { drum in
            folder.prints[drum.rawValue].map { print in
                KitFingerprint.DrumPrint(
                    drum: drum.rawValue, file: print.file, samples: print.samples, place: folder.places[drum.rawValue])
            }
        }
        self.init(
            sampleRate: Double(sampleRate), samples: folder.samples, places: folder.places,
            fingerprint: KitFingerprint(name: folder.name, sampleRate: sampleRate, drums: prints))
    }
}
