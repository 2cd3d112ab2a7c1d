// Written by Scripts/tracking-plan. Change the plan, not this file.
package trackingplan

import java.net.URLEncoder

/** An event of the plan, with typed parameters. */
interface PlannedEvent {
    /** Returns the event with the names on the wire. */
    fun wire(): WireEvent
}

/** An event as its service gets it. */
class WireEvent(val product: String, val service: String, val name: String, val parameters: Json.Members)

/** What the library adds to an event. */
data class Envelope(
    /** A UUID of version 7, by which receivers recognize an event that arrives twice. */
    val eventId: String,
    /** The time of the event in microseconds since 1970. */
    val timeMicros: Long,
    /** The number of the event in its session, from 1. */
    val sequence: Long,
    /** The installation's id of 32 hexadecimal digits. */
    val deviceId: String,
    /** The signed-in user, or an empty text. */
    val userId: String,
    /** The session, or an empty text outside of a session. */
    val sessionId: String,
    /** A positive number of the session, such as its start in seconds. */
    val sessionNumber: Long
)

/** Returns the row of an event for the in-house service with the number of the plan, as one line of NDJSON. */
fun WireEvent.row(envelope: Envelope, appVersion: String = "", schema: Long = 1): String =
    Json.of(
        "event_id" to envelope.eventId.toJson(),
        "name" to name.toJson(),
        "ts_ms" to Math.floorDiv(envelope.timeMicros, 1000L).toJson(),
        "seq" to envelope.sequence.toJson(),
        "session_id" to envelope.sessionId.toJson(),
        "device_id" to envelope.deviceId.toJson(),
        "user_id" to envelope.userId.toJson(),
        "product" to product.toJson(),
        "app_version" to appVersion.toJson(),
        "schema" to schema.toJson(),
        "props" to parameters.text().toJson()
    ).text() + "\n"

/** Returns the address of GA4's Measurement Protocol for an app stream. */
fun ga4Url(firebaseAppId: String, apiSecret: String): String =
    "https://www.google-analytics.com/mp/collect" +
        "?firebase_app_id=${encoded(firebaseAppId)}&api_secret=${encoded(apiSecret)}"

/** Returns the body of a request with one event to GA4's Measurement Protocol. */
fun WireEvent.ga4Body(envelope: Envelope): String {
    val isNumber = Regex("[1-9][0-9]{0,17}").matches(envelope.sessionId)
    val number = if (isNumber) envelope.sessionId.toLong() else envelope.sessionNumber
    val automatic = listOf(
        "session_id" to if (envelope.sessionId == "") null else number.toJson(),
        "app_session" to if (envelope.sessionId == "" || isNumber) null else envelope.sessionId.toJson(),
        "engagement_time_msec" to 1L.toJson()
    ).filter { (key, _) -> parameters.values.none { it.first == key && it.second != null } }
    val event = Json.of(
        "name" to name.toJson(),
        "timestamp_micros" to envelope.timeMicros.toJson(),
        "params" to Json.of("event_id" to envelope.eventId.toJson(), *(parameters.values + automatic).toTypedArray())
    )
    return Json.of(
        "app_instance_id" to envelope.deviceId.toJson(),
        "user_id" to if (envelope.userId == "") null else envelope.userId.toJson(),
        "events" to listOf(event).toJson { it }
    ).text(flagsAsNumbers = true)
}

private fun encoded(text: String) = URLEncoder.encode(text, "UTF-8").replace("+", "%20").replace("%3A", ":")

/** A JSON value. An object leaves out absent members. */
sealed class Json {
    data class Scalar(val text: String) : Json()
    data class Flag(val value: Boolean) : Json()
    data class Items(val values: List<Json?>) : Json()
    data class Members(val values: List<Pair<String, Json?>>) : Json()

    /** Returns the value as text, for GA4 with 1 and 0 for Booleans. */
    fun text(flagsAsNumbers: Boolean = false): String = when (this) {
        is Scalar -> text
        is Flag -> if (flagsAsNumbers) (if (value) "1" else "0") else "$value"
        is Items -> values.joinToString(",", "[", "]") { it?.text(flagsAsNumbers) ?: "null" }
        is Members -> values.filter { it.second != null }.joinToString(",", "{", "}") { (key, value) ->
            key.toJson().text() + ":" + value?.text(flagsAsNumbers)
        }
    }

    companion object {
        /** Returns an object. */
        fun of(vararg members: Pair<String, Json?>) = Members(members.toList())
    }
}

internal fun Long.toJson(): Json = Json.Scalar(toString())

internal fun Boolean.toJson(): Json = Json.Flag(this)

/** Returns a number, or nothing if JSON has no such number. */
internal fun Double.toJson(): Json? = if (isNaN() || isInfinite()) null else Json.Scalar(toString())

internal fun <Element> List<Element>.toJson(element: (Element) -> Json?): Json = Json.Items(map(element))

internal fun String.toJson(): Json {
    val text = StringBuilder("\"")
    for (character in this) {
        when {
            character == '"' || character == '\\' -> text.append('\\').append(character)
            character < ' ' -> text.append("\\u").append((character - '\u0000').toString(16).padStart(4, '0'))
            else -> text.append(character)
        }
    }
    return Json.Scalar(text.append('"').toString())
}
