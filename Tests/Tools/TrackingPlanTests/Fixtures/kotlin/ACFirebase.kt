// Written by Scripts/tracking-plan. Change the plan, not this file.
package trackingplan

/** The events of AC at firebase. */
object ACFirebase {
    /**
     * To break a rule.
     *
     * `view_item`, owned by Tests.
     */
    data class ViewItem(
        val isNew: Boolean,
        val items: List<Item>? = null,
        val screen: String = "kinds",
        val sessionId: Long? = null,
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "firebase", "view_item", Json.of(
            "is_new" to isNew.toJson(),
            "items" to items?.toJson { it.toJson() },
            "screen" to screen.toJson(),
            "session_id" to sessionId?.toJson(),
            "theme" to theme.toJson()
        ))

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }

        data class Item(
            val itemId: String,
            val price: Double
        ) {
            internal fun toJson() = Json.of(
                "item_id" to itemId.toJson(),
                "price" to price.toJson()
            )
        }
    }
}
