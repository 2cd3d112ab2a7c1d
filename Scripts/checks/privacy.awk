# Reads code as `file:line:code`, and prints entries that Apple's required-reason rules demand and a module's manifest
# lacks.
#
# The names are those of Apple's list. Every variant of `stat` counts, regardless of its use. After the code come the
# manifests' lines as `file:line:text`, to find entries that no code needs.

BEGIN {
    start = "(^|[^A-Za-z0-9_])"
    wants["FileTimestamp"] = start "(f?stat|[fl]stat64|lstat|fstatat|f?getattrlist(at|bulk)?)\\(|" \
        start "(creationDate|modificationDate|fileModificationDate|contentModificationDate|attributeModificationDate)" \
        "(Key)?([^A-Za-z0-9_]|$)"
    wants["SystemBootTime"] = start "(systemUptime|mach_absolute_time)"
    wants["DiskSpace"] = start "f?statv?fs\\(|volume(Available|Total)Capacity|" start "system(FreeSize|Size)([^A-Za-z]|$)"
    wants["ActiveKeyboards"] = "activeInputModes"
    wants["UserDefaults"] = start "(UserDefaults|NSUserDefaults|AppStorage)([^A-Za-z0-9_]|$)"
}

{
    split($0, field, ":")
    split(field[1], part, "/")
    text = substr($0, length(field[1]) + length(field[2]) + 3)
    module = part[1] "/" part[2] "/" part[3]
}

field[1] ~ /\.xcprivacy$/ {
    if (match(text, /APICategory[A-Za-z]+/)) declared[module, substr(text, RSTART + 11, RLENGTH - 11)] = field[1]
    next
}

{ for (kind in wants) if (text ~ wants[kind] && !((module, kind) in needed)) needed[module, kind] = field[1] ":" field[2] }

END {
    for (key in needed) {
        split(key, pair, SUBSEP)
        if (!(key in declared)) print needed[key] ": " pair[1] "/PrivacyInfo.xcprivacy has no entry for " pair[2]
    }
    for (key in declared) {
        split(key, pair, SUBSEP)
        if (!(key in needed)) print declared[key] ": no code needs the entry for " pair[2]
    }
}
