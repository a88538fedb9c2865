import CPNG
import Grid
import TestSupport
import Testing

@testable import pixelboop

@Suite struct FrameImageTests {
    @Test(arguments: [6, 13, 20])
    func `a picture is 44*pixel + 43 by 24*pixel + 23`(pixel: Int) throws {
        let picture = try Picture(decoding: FrameImage.pngData(of: Frame(), pixel: pixel))
        #expect(picture.width == 44 * pixel + 43)
        #expect(picture.height == 24 * pixel + 23)
    }

    @Test(arguments: [6, 7, 20])
    func `cells are squares of their colour, black gaps of one pixel between them`(pixel: Int) throws {
        var generator = SeededGenerator(seed: 3)
        let cells = (0..<1056).map { _ in UInt32.random(in: 1...0xffffff, using: &generator) }
        let picture = try Picture(decoding: FrameImage.pngData(of: #require(Frame(cells: cells)), pixel: pixel))
        var wrong = 0
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let isGap = x % (pixel + 1) == pixel || y % (pixel + 1) == pixel
                let expected = isGap ? 0 : cells[y / (pixel + 1) * 44 + x / (pixel + 1)]
                if picture[x, y] != expected { wrong += 1 }
            }
        }
        #expect(wrong == 0)
    }

    @Test(arguments: [Int.min, 0, 5, 21, Int.max])
    func `cells smaller than 6 or larger than 20 pixels are refused`(pixel: Int) {
        #expect(throws: FrameImage.Failure.pixelSide(pixel)) {
            try FrameImage.pngData(of: Frame(), pixel: pixel)
        }
    }

    @Test func `the file says that its colours are sRGB`() throws {
        let file = try FrameImage.pngData(of: Frame(), pixel: 6)
        let chunk = Array("sRGB".utf8)
        #expect(file.indices.dropLast(3).contains { Array(file[$0..<($0 + 4)]) == chunk })
    }
}

private struct Picture {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    struct Undecodable: Error {}

    init(decoding file: [UInt8]) throws {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_memory(&image, file, file.count) != 0 else { throw Undecodable() }
        defer { png_image_free(&image) }
        image.format = png_uint_32(PNG_FORMAT_RGB)
        width = Int(image.width)
        height = Int(image.height)
        bytes = [UInt8](repeating: 0xee, count: width * height * 3)
        guard png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else { throw Undecodable() }
    }

    subscript(x: Int, y: Int) -> UInt32 {
        let start = (y * width + x) * 3
        return bytes[start..<(start + 3)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
