#ifndef CPAGES_H
#define CPAGES_H

// The styles, scripts and markup of the tools' pages, as text that ends with 0. Swift has no `#embed`.

/// Returns the style of the inspector's page.
const unsigned char *_Nonnull cpages_inspector_style(void);
/// Returns the markup of the inspector's page, in which `RECEIVER` stands for the collector's address.
const unsigned char *_Nonnull cpages_inspector_markup(void);
/// Returns the scripts of the inspector's page, in their order.
const unsigned char *_Nonnull cpages_inspector_script(void);

/// Returns the style of the tracking plan's page.
const unsigned char *_Nonnull cpages_plan_style(void);
/// Returns the script of the tracking plan's page.
const unsigned char *_Nonnull cpages_plan_script(void);
/// Returns the Kotlin file that writes the requests of events.
const unsigned char *_Nonnull cpages_contract_kotlin(void);
/// Returns the TypeScript file that writes the requests of events.
const unsigned char *_Nonnull cpages_contract_typescript(void);

#endif
