import Glibc
import JSON
import Music
import SystemSupport

/// Where a kit's drums are between left and right, as its `kit.json` says: `{"places": {"closed hat": 0.25}}`.
struct KitPlaces: Equatable {
    /// The name of the file, in upper or lower case.
    static let fileName = "kit.json"
    /// Maximum length of the file in bytes.
    static let largest = 64 << 10

    /// The place of each `Music.Drum`, in order, from -1, left, to 1; 0 for drums that the file does not name.
    private(set) var places = [Float](repeating: 0, count: Drum.allCases.count)

    /// Reads a file.
    init(path: String) throws(SampleError) {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .io(reason: FileError("open", path).reason) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size <= KitPlaces.largest else {
            throw .places(reason: "expected at most \(KitPlaces.largest >> 10) KiB")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readAll(from: descriptor, of: path, limit: KitPlaces.largest)
        } catch {
            throw .io(reason: error.reason)
        }
        try self.init(bytes)
    }

    init(_ bytes: [UInt8]) throws(SampleError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .places(reason: "\(error)")
        }
        guard let members = value.objectValue?.members else {
            throw .places(reason: "expected an object with places, got \(value.kind)")
        }
        for member in members {
            guard member.name == "places" else {
                throw .places(reason: "\(member.name): there is no such setting; use places")
            }
            guard let drums = member.value.objectValue?.members else {
                throw .places(reason: "places: expected an object, got \(member.value.kind)")
            }
            for drum in drums { try set(drum) }
        }
    }

    private mutating func set(_ member: JSONObject.Member) throws(SampleError) {
        guard let drum = Drum.allCases.first(where: { $0.name == member.name.lowercased() }) else {
            throw .places(reason: "places.\(member.name): \(SampleError.unknownDrum)")
        }
        guard let place = member.value.doubleValue, abs(place) <= 1 else {
            let got = member.value.doubleValue.map { "\($0)" } ?? member.value.kind
            throw .places(reason: "places.\(member.name): expected a number from -1 to 1, got \(got)")
        }
        places[drum.rawValue] = Float(place)
    }
}
