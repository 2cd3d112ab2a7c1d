import CoreTracker
import SuperApp
import Testing

@Suite struct ProductEntryTests {
    @Test(arguments: ProductEntry.all.map(\.prefix))
    func `a product's modules and catalogs begin with its prefix`(prefix: String) throws {
        let product = try #require(ProductEntry.all.first { $0.prefix == prefix })

        let own = product.catalogs.filter { $0.module != "AppTracking" }
        #expect(own.allSatisfy { $0.module.hasPrefix(prefix) })
        #expect(product.catalogs.allSatisfy { $0.product == prefix })
        let tracker = product.tracker(vendorService: NoVendorService())
        #expect(String(describing: type(of: tracker)) == "\(prefix)Tracker")
    }

    @Test func `products, modules and events are listed once`() {
        let modules = [EventCatalog].all.map(\.module)

        #expect(Set(ProductEntry.all.map(\.prefix)).count == ProductEntry.all.count)
        #expect(Set(modules).count == modules.count)
    }
}
