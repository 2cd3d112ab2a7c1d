#!/usr/bin/env bash
# Question: Do two linters of Apple's privacy manifests agree on a valid one?
# Guess: Yes, the keys are few and fixed.
# Behaviour: privacy-manifest-lint reports `NSPrivacyCollectedDataType`, the right key within an entry, as a wrong
# spelling of the top-level key, and ends with 0 all the same. It looks at lines, not at the property list. xcprivacy
# passes the manifest.
# Versions: xcprivacy 0.1.0, readystack-privacy-manifest-lint 0.1.8.post1.

. "$(dirname "$0")/finding.bash"
python_packages xcprivacy==0.1.0 readystack-privacy-manifest-lint==0.1.8.post1

mkdir App
cat >App/PrivacyInfo.xcprivacy <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>NSPrivacyTracking</key><false/>
<key>NSPrivacyCollectedDataTypes</key><array><dict>
<key>NSPrivacyCollectedDataType</key>
<string>NSPrivacyCollectedDataTypeProductInteraction</string>
<key>NSPrivacyCollectedDataTypeLinked</key><true/>
<key>NSPrivacyCollectedDataTypeTracking</key><false/>
<key>NSPrivacyCollectedDataTypePurposes</key>
<array><string>NSPrivacyCollectedDataTypePurposeAnalytics</string></array>
</dict></array>
</dict></plist>
END
seen <<'END'
PASS  no problems found  (1 manifest(s), 0 source file(s))
status 0
      6  error The top-level key is plural: NSPrivacyCollectedDataTypes. Upload returns ITMS-91056.
status 0
END
linters() {
    local status
    for linter in 'xcprivacy check' privacy-manifest-lint; do
        status=0
        # shellcheck disable=SC2086
        python3 packages/bin/$linter App/PrivacyInfo.xcprivacy >report || status=$?
        grep -E 'PASS|error' report
        echo "status $status"
    done
}
compare linters
