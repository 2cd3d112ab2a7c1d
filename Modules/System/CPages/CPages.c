#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

const unsigned char *cpages_inspector_style(void) {
    static const unsigned char text[] = {
#embed "../../Tools/EventInspector/Page/style.css" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_inspector_markup(void) {
    static const unsigned char text[] = {
#embed "../../Tools/EventInspector/Page/markup.html" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_inspector_script(void) {
    static const unsigned char text[] = {
#embed "../../Tools/EventInspector/Page/list.js" suffix(, )
#embed "../../Tools/EventInspector/Page/filter.js" suffix(, )
#embed "../../Tools/EventInspector/Page/feed.js" suffix(, )
#embed "../../Tools/EventInspector/Page/detail.js" suffix(, )
#embed "../../Tools/EventInspector/Page/copy.js" suffix(, )
#embed "../../Tools/EventInspector/Page/controls.js" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_plan_style(void) {
    static const unsigned char text[] = {
#embed "../../Tools/TrackingPlan/Page/style.css" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_plan_script(void) {
    static const unsigned char text[] = {
#embed "../../Tools/TrackingPlan/Page/script.js" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_contract_kotlin(void) {
    static const unsigned char text[] = {
#embed "../../Tools/TrackingPlan/Contract/Wire.kt" suffix(, 0)
    };
    return text;
}

const unsigned char *cpages_contract_typescript(void) {
    static const unsigned char text[] = {
#embed "../../Tools/TrackingPlan/Contract/wire.ts" suffix(, 0)
    };
    return text;
}
