// Written by Scripts/tracking-plan. Change the plan, not this file.
package trackingplan

/** The events of AC at awesomeTracking. */
object ACAwesomeTracking {
    /**
     * Which values arrive / * unchanged.
     *
     * `values`, owned by Tests.
     */
    data class Values(
        /**
         * An integer that may be larger than a double represents, which a receiver stores as 64 bits on
         * all platforms.
         */
        val large: Long,
        val lines: List<Line>,
        val small: Long,
        /** A fixed * / value. */
        val state: State,
        val whole: Double,
        val flag: Boolean? = null,
        val flags: List<Boolean>? = null,
        val lists: List<List<Long>>? = null,
        val number: Double? = null,
        val object_: Object_? = null,
        val screen: String = "kinds",
        /** Several fixed values. */
        val states: List<State>? = null,
        val text: String? = null,
        val texts: List<String>? = null,
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "awesomeTracking", "values", Json.of(
            "large" to large.toJson(),
            "lines" to lines.toJson { it.toJson() },
            "small" to small.toJson(),
            "state" to state.toJson(),
            "whole" to whole.toJson(),
            "flag" to flag?.toJson(),
            "flags" to flags?.toJson { it.toJson() },
            "lists" to lists?.toJson { it.toJson { it.toJson() } },
            "number" to number?.toJson(),
            "object" to object_?.toJson(),
            "screen" to screen.toJson(),
            "states" to states?.toJson { it.toJson() },
            "text" to text?.toJson(),
            "texts" to texts?.toJson { it.toJson() },
            "theme" to theme.toJson()
        ))

        enum class State(private val text: String) {
            Empty(""),
            New("new"),
            InUse("in_use"),
            _3rd("3rd");

            internal fun toJson() = text.toJson()
        }

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }

        data class Line(
            val price: Double,
            val note: String? = null
        ) {
            internal fun toJson() = Json.of(
                "price" to price.toJson(),
                "note" to note?.toJson()
            )
        }

        data class Object_(
            val inner: Inner
        ) {
            internal fun toJson() = Json.of(
                "inner" to inner.toJson()
            )

            data class Inner(
                val deep: Double
            ) {
                internal fun toJson() = Json.of(
                    "deep" to deep.toJson()
                )
            }
        }
    }

    /**
     * To break a rule.
     *
     * `delete`, owned by Tests.
     */
    data class Delete(
        val _3d: Long,
        val proto: Long,
        val aBCD: Long,
        val arguments_: Long,
        val await_: Long,
        val class_: Long,
        val component1: Long,
        val constructor_: Long,
        val copy: Long,
        val event: Long,
        val fun_: Long,
        val hashCode: Long,
        val in_: Long,
        val item: Long,
        val json: Long,
        val name: Long,
        val new_: Long,
        val object_: Long,
        val product: Long,
        val toJson: Long,
        val toString_: Long,
        val typealias_: Long,
        val value: Long,
        val when_: Long,
        val wire: Long,
        val yield_: Long,
        val ürünAdı: Long,
        val screen: String = "kinds",
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "awesomeTracking", "delete", Json.of(
            "3d" to _3d.toJson(),
            "__proto__" to proto.toJson(),
            "a-b.c d" to aBCD.toJson(),
            "arguments" to arguments_.toJson(),
            "await" to await_.toJson(),
            "class" to class_.toJson(),
            "component1" to component1.toJson(),
            "constructor" to constructor_.toJson(),
            "copy" to copy.toJson(),
            "event" to event.toJson(),
            "fun" to fun_.toJson(),
            "hashCode" to hashCode.toJson(),
            "in" to in_.toJson(),
            "item" to item.toJson(),
            "json" to json.toJson(),
            "name" to name.toJson(),
            "new" to new_.toJson(),
            "object" to object_.toJson(),
            "product" to product.toJson(),
            "toJson" to toJson.toJson(),
            "toString" to toString_.toJson(),
            "typealias" to typealias_.toJson(),
            "value" to value.toJson(),
            "when" to when_.toJson(),
            "wire" to wire.toJson(),
            "yield" to yield_.toJson(),
            "ürün_adı" to ürünAdı.toJson(),
            "screen" to screen.toJson(),
            "theme" to theme.toJson()
        ))

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }
    }

    /**
     * To break a rule.
     *
     * `3d_görünüm`, owned by Tests.
     */
    data class _3dGörünüm(
        val screen: String = "kinds",
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "awesomeTracking", "3d_görünüm", Json.of(
            "screen" to screen.toJson(),
            "theme" to theme.toJson()
        ))

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }
    }

    /**
     * To break a rule.
     *
     * `STRING`, owned by Tests.
     */
    data class String_(
        val string: String_,
        val iı: String,
        val screen: String = "kinds",
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "awesomeTracking", "STRING", Json.of(
            "String" to string.toJson(),
            "İı" to iı.toJson(),
            "screen" to screen.toJson(),
            "theme" to theme.toJson()
        ))

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }

        data class String_(
            val json: Json_
        ) {
            internal fun toJson() = Json.of(
                "Json" to json.toJson()
            )

            data class Json_(
                val value: Boolean
            ) {
                internal fun toJson() = Json.of(
                    "value" to value.toJson()
                )
            }
        }
    }

    /**
     * To break a rule.
     *
     * `wire.event`, owned by Tests.
     */
    data class WireEvent_(
        val items: List<Item>,
        val screen: String = "kinds",
        /** Fixed values with a default. */
        val theme: Theme = Theme.DarkBlue
    ) : PlannedEvent {
        override fun wire() = WireEvent("AC", "awesomeTracking", "wire.event", Json.of(
            "items" to items.toJson { it.toJson() },
            "screen" to screen.toJson(),
            "theme" to theme.toJson()
        ))

        enum class Theme(private val text: String) {
            Light("light"),
            DarkBlue("dark_blue");

            internal fun toJson() = text.toJson()
        }

        data class Item(
            val items: List<Item>
        ) {
            internal fun toJson() = Json.of(
                "items" to items.toJson { it.toJson() }
            )

            data class Item(
                val items: Long
            ) {
                internal fun toJson() = Json.of(
                    "items" to items.toJson()
                )
            }
        }
    }
}
