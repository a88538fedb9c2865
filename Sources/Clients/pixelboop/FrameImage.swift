import CPNG
import Grid

/// Pictures of the grid as PNG files.
enum FrameImage {
    /// The supported sides of a cell, in pixels.
    static let pixelSides = 6...20

    /// Black, a shade darker than the grid's background, so that unlit cells can just be counted.
    private static let gap: UInt8 = 0
    private static let channels = 3

    /// Why there is no image.
    enum Failure: Error, Equatable, Sendable {
        /// A cell's side outside 6 to 20 pixels.
        case pixelSide(Int)
        case encoding(String)
    }

    /// A frame as a PNG file: 8-bit sRGB, square cells with black gaps of 1 pixel between them.
    ///
    /// - Parameter pixel: The side of a cell in pixels, 6 to 20; the picture is 44*pixel + 43 by 24*pixel + 23.
    static func pngData(of frame: Frame, pixel: Int) throws(Failure) -> [UInt8] {
        guard pixelSides.contains(pixel) else { throw .pixelSide(pixel) }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(Frame.columns * (pixel + 1) - 1)
        image.height = png_uint_32(Frame.rows * (pixel + 1) - 1)
        image.format = png_uint_32(PNG_FORMAT_RGB)
        defer { png_image_free(&image) }
        return try encode(raster(of: frame, pixel: pixel), as: &image)
    }

    /// All pixels, row by row, three bytes each.
    private static func raster(of frame: Frame, pixel: Int) -> [UInt8] {
        let pitch = pixel + 1
        let width = Frame.columns * pitch - 1
        var bytes = [UInt8](repeating: gap, count: width * (Frame.rows * pitch - 1) * channels)
        for row in 0..<Frame.rows {
            for column in 0..<Frame.columns {
                let color = frame[column, row]
                for y in row * pitch..<row * pitch + pixel {
                    for x in column * pitch..<column * pitch + pixel {
                        let start = (y * width + x) * channels
                        bytes[start] = color.red
                        bytes[start + 1] = color.green
                        bytes[start + 2] = color.blue
                    }
                }
            }
        }
        return bytes
    }

    private static func encode(_ raster: [UInt8], as image: inout png_image) throws(Failure) -> [UInt8] {
        // Without a buffer libpng only returns the size that it needs.
        var size: png_alloc_size_t = 0
        guard png_image_write_to_memory(&image, nil, &size, 0, raster, 0, nil) != 0 else {
            throw .encoding(message(of: image))
        }
        var file = [UInt8](repeating: 0, count: size)
        guard png_image_write_to_memory(&image, &file, &size, 0, raster, 0, nil) != 0 else {
            throw .encoding(message(of: image))
        }
        return file
    }

    private static func message(of image: png_image) -> String {
        withUnsafeBytes(of: image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
