// Written by Scripts/tracking-plan. Change the plan, not this file.
package trackingplan

/** The examples of the plan, in the order of `vectors.json`. */
val examples = listOf<() -> PlannedEvent>(
    { ACAwesomeTracking.Values(large = Long.MIN_VALUE, lines = listOf(ACAwesomeTracking.Values.Line(price = 1.0), ACAwesomeTracking.Values.Line(price = 2.5, note = "n")), small = -1L, state = ACAwesomeTracking.Values.State.Empty, whole = 2.0, flag = true, flags = listOf(false), lists = listOf(listOf(1L), listOf(2L, 3L)), number = 0.1, object_ = ACAwesomeTracking.Values.Object_(inner = ACAwesomeTracking.Values.Object_.Inner(deep = 1.5)), states = listOf(ACAwesomeTracking.Values.State.New, ACAwesomeTracking.Values.State.InUse, ACAwesomeTracking.Values.State._3rd), text = "\"\$a\\ '\u000a\u0001🙂\u2028</script>", texts = listOf("a", ""), theme = ACAwesomeTracking.Values.Theme.Light) },
    { ACAwesomeTracking.Values(large = 9223372036854775807L, lines = listOf(), small = 1L, state = ACAwesomeTracking.Values.State.New, whole = 1e+300) },
    { ACAwesomeTracking.Delete(_3d = 1L, proto = 1L, aBCD = 1L, arguments_ = 1L, await_ = 1L, class_ = 1L, component1 = 1L, constructor_ = 1L, copy = 1L, event = 1L, fun_ = 1L, hashCode = 1L, in_ = 1L, item = 1L, json = 1L, name = 1L, new_ = 1L, object_ = 1L, product = 1L, toJson = 1L, toString_ = 1L, typealias_ = 1L, value = 1L, when_ = 1L, wire = 1L, yield_ = 1L, ürünAdı = 1L) },
    { ACAwesomeTracking._3dGörünüm() },
    { ACAwesomeTracking.String_(string = ACAwesomeTracking.String_.String_(json = ACAwesomeTracking.String_.String_.Json_(value = true)), iı = "ş") },
    { ACAwesomeTracking.WireEvent_(items = listOf(ACAwesomeTracking.WireEvent_.Item(items = listOf(ACAwesomeTracking.WireEvent_.Item.Item(items = 1L))))) },
    { ACFirebase.ViewItem(isNew = true, items = listOf(ACFirebase.ViewItem.Item(itemId = "7", price = 24.9))) },
    { ACFirebase.ViewItem(isNew = false, sessionId = 8L) }
)
