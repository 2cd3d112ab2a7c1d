# Creates stand-in SDKs of Apple's platforms, only for type-checking and the compiler's diagnostics. Source this file.
#
# `store` is their folder, outside the repository. An SDK consists of the toolchain's interfaces of the standard
# library, marked as made for the platform, Apple's open headers, and the toolchain's Foundation and Dispatch with a
# replaced target name.

standins=$PWD/Scripts/apple
info=$(swiftc -print-target-info)
toolchain_libraries=$(sed -nE 's/.*"runtimeLibraryImportPaths".*|^ *"(\/.*\/swift\/linux)",?$/\1/p' <<<"$info" | grep -m 1 .)
host_triple=$(sed -nE 's/.*"moduleTriple": "([^"]+)".*/\1/p' <<<"$info" | head -n 1)

# Downloads the headers once, from a Python wheel with a pinned checksum. Keeps only the headers.
fetch_headers() {
    local wheel
    [[ ! -d $store/headers ]] || return 0
    command -v pip >/dev/null || {
        echo 'there is no pip to download the package of headers'
        return 1
    }
    wheel=$(mktemp -d)
    pip download --quiet --no-deps --only-binary=:all: --platform manylinux2010_x86_64 --require-hashes \
        --requirement "$standins/headers.txt" --dest "$wheel" 2>&1 | tail -n 3
    [[ -n $(find "$wheel" -name '*.whl') ]] || {
        echo "cannot download the package of headers: $(tail -n 1 "$standins/headers.txt" | cut -d ' ' -f 1)"
        rm -rf "$wheel"
        return 1
    }
    python3 -m zipfile -e "$wheel"/*.whl "$wheel"
    mv "$wheel/ziglang/lib/libc/include/any-darwin-any" "$store/headers"
    rm -rf "$wheel"
}

# Copies the headers, and those of SQLite and zlib, which an Apple SDK contains too.
lay_headers() {
    local root=$1 header
    cp -r "$store/headers" "$root/usr/include"
    cp "$standins"/standin/{module.modulemap,DarwinStandIn.h} "$root/usr/include/"
    cp "$standins/standin/Darwin.apinotes" "$root/usr/lib/swift/apinotes/"
    for header in sqlite3.h zlib.h zconf.h; do
        cp "$(printf '#include <%s>\n' "$header" | clang -M -x c - | grep -oE "/[^ ]*/$header" | head -n 1)" "$root/usr/include/"
    done
}

# Marks textual interfaces as made for Apple's platform. Leaves out bodies that a Linux interface lacks (back-deployed
# functions, Float80's C functions) and aliases whose availability only Apple's interfaces state.
retarget_interfaces() {
    local root=$1 triple=$2 name=$3 module
    for module in Swift _Concurrency Synchronization _StringProcessing _RegexParser _Builtin_float Observation \
        RegexBuilder SwiftOnoneSupport Testing _Testing_Foundation _TestingInterop _TestDiscovery; do
        mkdir -p "$root/usr/lib/swift/$module.swiftmodule"
        sed -e "s/-target $host_triple/-target $triple/" \
            -e 's/^import Glibc$/import Darwin/' -e 's/_swift_stdlib_gettid()/(0 as Swift.UInt32)/' \
            -e 's/@backDeployed([^)]*)//' -e 's/self = _stdlib_\(remainder\|squareRoot\)l(self.*)/_ = self/' \
            -e '/__Async[A-Za-z]*_Failure = /s/^ *@_impl/  @available(iOS 18, macOS 15, tvOS 18, watchOS 11, *) @_impl/' \
            "$toolchain_libraries/$module.swiftmodule/$host_triple.swiftinterface" \
            >"$root/usr/lib/swift/$module.swiftmodule/$name.swiftinterface"
    done
    mkdir -p "$root"/usr/lib/swift/{Darwin,Glibc}.swiftmodule
    sed "s/@TARGET@/$triple/" "$standins/standin/Darwin.swiftinterface" \
        >"$root/usr/lib/swift/Darwin.swiftmodule/$name.swiftinterface"
    # The module that the toolchain's Foundation imports as Glibc.
    {
        sed -e "s/@TARGET@/$triple/" -e 's/-module-name Darwin/-module-name Glibc/' -e '/^@_exported/q' \
            "$standins/standin/Darwin.swiftinterface"
        sed -n '/^public enum POSIXErrorCode/,/^}/p' "$toolchain_libraries/Glibc.swiftmodule/$host_triple.swiftinterface"
    } >"$root/usr/lib/swift/Glibc.swiftmodule/$name.swiftinterface"
}

# Overwrites the host's triple in a binary module with the platform's triple of the same length: `13.00.000` is 13.
retarget_binaries() {
    local root=$1 triple=$2 name=$3 module
    while ((${#triple} < ${#host_triple})); do triple+=0; done
    [[ $triple == *.*.* ]] || triple=$(sed -E 's/(\.[0-9]{2})0/\1./' <<<"$triple")
    for module in FoundationEssentials Foundation FoundationNetworking FoundationInternationalization \
        _FoundationCollections Dispatch XCTest; do
        mkdir -p "$root/usr/lib/swift/$module.swiftmodule"
        LC_ALL=C sed "s/$host_triple/$triple/g" "$toolchain_libraries/$module.swiftmodule/$host_triple.swiftmodule" \
            >"$root/usr/lib/swift/$module.swiftmodule/$name.swiftmodule"
    done
}

# Adds the compiler's headers, and empty modules for the C modules that Foundation's binary modules import.
make_resources() {
    local root=$1 module compiler
    compiler=$(dirname "$toolchain_libraries")
    mkdir -p "$root"
    ln -s "$compiler"/{apinotes,clang,shims} "$root/"
    cp -r "$compiler/dispatch" "$compiler/Block" "$root/"
    for module in CoreFoundation _CFURLSessionInterface _FoundationCShims _FoundationICU; do
        mkdir -p "$root/$module"
        : >"$root/$module/empty.h"
        printf 'module %s [system] { header "empty.h" export * }\n' "$module" >"$root/$module/module.modulemap"
    done
}

# Creates the SDK of one platform, such as `ios`, if it does not exist. It supports versions from `floor`.
make_sdk() {
    local platform=$1 floor=13.0 root=$store/sdk/$1
    [[ $platform != watchos ]] || floor=9.0
    local triple=arm64-apple-$platform$floor name=arm64-apple-${platform/macosx/macos}
    [[ ! -d $root ]] || return 0
    rm -rf "$root.new"
    mkdir -p "$root.new/usr/lib/swift/apinotes"
    lay_headers "$root.new"
    retarget_interfaces "$root.new" "$triple" "$name"
    retarget_binaries "$root.new" "$triple" "$name"
    [[ -d $store/resources ]] || make_resources "$store/resources"
    mv "$root.new" "$root"
}
