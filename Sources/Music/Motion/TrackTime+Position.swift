extension TrackTime {
    /// The count that is in progress at a song position, and as a fraction the part of it that is over.
    @_noLocks @_noAllocation
    public func count(at songPosition: Double, on grid: SongGrid) -> Double {
        var count = Int64((songPosition - Double(origin)) * Double(numerator) / Double(denominator))
        // Swing and rounding displace it by little.
        while start(of: count, on: grid) > songPosition { count -= 1 }
        while start(of: count + 1, on: grid) <= songPosition { count += 1 }
        let start = start(of: count, on: grid)
        return Double(count) + (songPosition - start) / (self.start(of: count + 1, on: grid) - start)
    }

    /// The song position at which a count starts.
    @_noLocks @_noAllocation
    private func start(of count: Int64, on grid: SongGrid) -> Double {
        let (songStep, part) = position(of: count)
        return part == 0 ? grid.position(of: songStep) : grid.position(of: songStep, part: part)
    }
}
