/// Where the side of drums is added up: each lane times its drum's place. Valid as long as the stretch.
@safe
struct SideBus: BitwiseCopyable {
    private let samples: UnsafeMutablePointer<Lanes>
    /// From -1, left, to 1.
    private let places: Lanes

    /// A bus from an offset of samples on; nil without any.
    init?(_ samples: UnsafeMutablePointer<Lanes>?, offset: Int, places: Lanes) {
        guard let samples = unsafe samples else { return nil }
        unsafe self.samples = samples + offset
        self.places = places
    }

    /// Adds drums to a frame of the mix, and to its side.
    @inline(__always)
    func add(_ drums: Lanes, to mix: UnsafeMutablePointer<Lanes>, _ index: Int) {
        unsafe mix[index] += drums
        unsafe samples[index] += drums * places
    }

    /// Adds a drum that has all lanes.
    @inline(__always)
    func add(_ drum: Float, to mix: UnsafeMutablePointer<Lanes>, _ index: Int) {
        unsafe mix[index].x += drum
        unsafe samples[index].x += drum * places.x
    }
}
