import Wire

// Takes as sound and MIDI files; renders in the background, for clients that cannot name files.
extension Handlers {
    static let renders: [Handler] = []
}
