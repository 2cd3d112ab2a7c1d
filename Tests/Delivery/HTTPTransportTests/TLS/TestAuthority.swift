#if !canImport(Darwin)
import EventDeliveryTesting
import Foundation
import HTTPTransport

/// A certificate authority that lives as long as its test, created with the `openssl` command.
struct TestAuthority {
    /// A certificate signed by the authority.
    struct Certificate {
        /// The PEM file of the certificate.
        let file: URL
        /// The PEM file of the private key.
        let key: URL
        /// The digest of the public key.
        let pin: PublicKeyPin
    }

    /// The validity period of a certificate, in the format of `openssl ca`.
    enum Validity: String {
        case now = "20200101000000Z 21190101000000Z"
        case past = "20200101000000Z 20200102000000Z"
        case future = "21180101000000Z 21190101000000Z"
    }

    /// The PEM file of the authority's certificate.
    var file: URL { folder.appending(path: "authority.pem") }
    private let folder: URL

    /// Creates an authority in a new folder.
    init(in folder: URL) throws {
        self.folder = folder
        let configuration = """
            [ca]
            default_ca = authority
            [authority]
            database = \(folder.path())/index
            new_certs_dir = \(folder.path())
            rand_serial = yes
            default_md = sha256
            policy = any
            unique_subject = no
            [any]
            commonName = supplied
            """
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(configuration.utf8).write(to: folder.appending(path: "authority.cnf"))
        try Data().write(to: folder.appending(path: "index"))
        try openssl("req -x509 -days 2 -subj /CN=Test -out \(file.path())", makingKey: "authority.key")
    }

    /// Signs a certificate for a host, as the subject alternative name.
    func certificate(for host: String = "DNS:localhost", valid: Validity = .now) throws -> Certificate {
        let name = UUID().uuidString
        let path = folder.appending(path: name).path()
        let dates = valid.rawValue.split(separator: " ")
        try Data("subjectAltName=\(host)".utf8).write(to: URL(filePath: "\(path).ext"))
        try openssl("req -subj /CN=test -out \(path).csr", makingKey: "\(name).key")
        try openssl(
            "ca -batch -notext -config \(folder.path())/authority.cnf -cert \(file.path()) -in \(path).csr "
                + "-keyfile \(folder.path())/authority.key -extfile \(path).ext "
                + "-startdate \(dates[0]) -enddate \(dates[1]) -out \(path).pem"
        )
        try openssl("pkey -in \(path).key -pubout -outform der -out \(path).pub")
        try openssl("dgst -sha256 -binary -out \(path).pin \(path).pub")
        let pin = try Data(contentsOf: URL(filePath: "\(path).pin")).base64EncodedString()
        return Certificate(
            file: URL(filePath: "\(path).pem"),
            key: URL(filePath: "\(path).key"),
            pin: try PublicKeyPin(sha256: pin)
        )
    }

    private func openssl(_ arguments: String, makingKey name: String? = nil) throws {
        var words = arguments.split(separator: " ").map(String.init)
        if let name {
            words += ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
            words += ["-keyout", folder.appending(path: name).path()]
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(command: arguments) }
    }

    private struct Failure: Error { let command: String }
}
#endif
