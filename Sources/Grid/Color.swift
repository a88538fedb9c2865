/// An 8-bit sRGB colour.
public struct Color: Hashable, Sendable {
    /// `0xRRGGBB`.
    public let rgb: UInt32

    /// The colour `0xRRGGBB`; bits above are ignored.
    public init(_ rgb: UInt32) {
        self.rgb = rgb & 0xff_ffff
    }

    /// A colour from its channels.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        rgb = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    /// The red channel.
    public var red: UInt8 { UInt8(rgb >> 16) }
    /// The green channel.
    public var green: UInt8 { UInt8(rgb >> 8 & 0xff) }
    /// The blue channel.
    public var blue: UInt8 { UInt8(rgb & 0xff) }

    /// Pure white.
    public static let white = Color(0xffffff)
    /// The grid's background.
    public static let background = Color(0x0a0a0a)

    /// This colour drawn over another: `round(self*alpha + under*(1 - alpha))` per channel, halves up, as browsers blend
    /// sRGB.
    public func over(_ under: Color, alpha: Alpha) -> Color {
        func mix(_ shift: UInt32) -> UInt32 {
            let sum = (rgb >> shift & 0xff) * alpha.part + (under.rgb >> shift & 0xff) * (alpha.whole - alpha.part)
            return ((2 * sum + alpha.whole) / (2 * alpha.whole)) << shift
        }
        return Color(mix(16) | mix(8) | mix(0))
    }

    /// A colour from hue in degrees (any number; it wraps) and saturation and lightness from 0 to 1, as CSS `hsl()`.
    public init(hue: Double, saturation: Double, lightness: Double) {
        var hue = hue.truncatingRemainder(dividingBy: 360)
        if hue < 0 { hue += 360 }
        let reach = saturation * min(lightness, 1 - lightness)
        // The formula of CSS Color Module Level 4, section 7.1.
        func channel(_ offset: Double) -> UInt8 {
            let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            return UInt8(((lightness - reach * max(-1, min(place - 3, 9 - place, 1))) * 255).rounded())
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4))
    }
}
