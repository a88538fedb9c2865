import Grid

/// How a wall of lights shows the grid: which cells, how many lights, which way round, how bright, and in which order the
/// lights are wired.
public struct Wall: Equatable, Sendable {
    public var crop = CellArea.all
    /// Lights across and down before the picture is turned; nil for one light per cell.
    public var scale: LightSize?
    /// How far the picture is turned, clockwise.
    public var rotation = Rotation.none
    /// Where the first light is.
    public var origin = WallOrigin.topLeft
    public var layout = LightLayout.rows
    /// Brightness from 0 to 1.
    public var brightness = 1.0
    /// The exponent from a colour's value to a light's: lights are linear, colours are not.
    public var gamma = 2.2

    /// The whole grid, one light per cell, row by row from the top left.
    public init() {}

    public var count: Int { scale.map { $0.width * $0.height } ?? crop.width * crop.height }

    /// A frame as the lights show it.
    func picture(of frame: Frame) -> LightPicture {
        let tones = self.tones
        var picture = LightPicture(frame, in: crop)
        for (index, color) in picture.colors.enumerated() {
            picture.colors[index] = Color(
                red: tones[Int(color.red)], green: tones[Int(color.green)], blue: tones[Int(color.blue)])
        }
        // Light adds up, colours do not: so they are converted before they are averaged.
        return (scale.map(picture.scaled) ?? picture).rotated(by: rotation)
    }

    /// Red, green and blue of each light in the order of the wires.
    func channels(of picture: LightPicture) -> [UInt8] {
        var channels: [UInt8] = []
        channels.reserveCapacity(3 * picture.colors.count)
        for row in 0..<picture.height {
            let isReversed = origin.isRight != (layout == .serpentine && row % 2 == 1)
            for column in 0..<picture.width {
                let color = picture[
                    isReversed ? picture.width - 1 - column : column, origin.isBottom ? picture.height - 1 - row : row]
                channels += [color.red, color.green, color.blue]
            }
        }
        return channels
    }

    /// The light's value for each value of a channel.
    private var tones: [UInt8] {
        (0...255).map { UInt8((255 * brightness * Math.power(Double($0) / 255, gamma)).rounded()) }
    }
}
