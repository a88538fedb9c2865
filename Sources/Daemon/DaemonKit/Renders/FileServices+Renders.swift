import Control
import Music
import Wire

extension FileServices {
    func takeRender(_ call: RenderCall) async throws(ServiceError) -> RenderJob { try await renders.takeRender(call) }

    func exportRender(_ document: Document, options: ExportOptions) async throws(ServiceError) -> RenderJob {
        try await renders.exportRender(document, options: options)
    }

    func takeMIDI(_ number: Int, to path: String?) async throws(ServiceError) -> ExportReply {
        try await renders.takeMIDI(number, to: path)
    }
}
