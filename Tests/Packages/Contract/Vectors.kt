package trackingplan

import java.io.File
import java.math.BigDecimal
import kotlin.system.exitProcess

/** Compares the requests of the generated events with those of `vectors.json`, as JSON. */
fun main(arguments: Array<String>) {
    val file = Parser(File(arguments[0]).readText()).value() as Map<*, *>
    val vectors = (file["vectors"] as List<*>).map { it as Map<*, *> }
    val envelope = envelope(file["envelope"] as Map<*, *>)
    val differences = vectors.mapIndexedNotNull { index, vector -> difference(vector, examples[index]().wire(), envelope) }
    differences.forEach { println(it) }
    println("Kotlin ${KotlinVersion.CURRENT}: ${vectors.size} vectors, ${differences.size} differ")
    if (differences.isNotEmpty() || examples.size != vectors.size || vectors.isEmpty()) exitProcess(1)
}

private fun envelope(values: Map<*, *>) = Envelope(
    eventId = values["eventId"] as String,
    timeMicros = (values["timeMicros"] as BigDecimal).toLong(),
    sequence = (values["sequence"] as BigDecimal).toLong(),
    deviceId = values["deviceId"] as String,
    userId = values["userId"] as String,
    sessionId = values["sessionId"] as String,
    sessionNumber = (values["sessionNumber"] as BigDecimal).toLong()
)

private fun difference(vector: Map<*, *>, event: WireEvent, envelope: Envelope): String? {
    val expected = vector["body"] as String
    val isGA4 = vector["service"] == "firebase"
    val body = if (isGA4) event.ga4Body(envelope) else event.row(envelope)
    val query = (vector["url"] as String).substringAfter("?").split("&").map { it.split("=") }
    val url = if (isGA4) ga4Url(query[0][1], query[1][1]) else vector["url"]
    val isEqual = url == vector["url"] && canonical(body) == canonical(expected)
    return if (isEqual) null else "${vector["product"]} ${vector["name"]}:\n  $url $body\n  instead of\n  $expected"
}

/** Returns a document whose numbers are exact, with the parameters of a row as a document too. */
private fun canonical(json: String): Map<*, *> {
    val document = Parser(json).value() as Map<*, *>
    return document.mapValues { (key, value) -> if (key == "props") Parser(value as String).value() else value }
}

/** A parser of valid JSON, because neither Kotlin nor Java has one without a dependency. */
private class Parser(private val text: String) {
    private var position = 0

    fun value(): Any? {
        skipSpace()
        return when (text[position]) {
            '{' -> list('}') { string().also { skipSpace(); position++ } to value() }.toMap()
            '[' -> list(']') { value() }
            '"' -> string()
            else -> word().let { word -> word.toBigDecimalOrNull()?.stripTrailingZeros() ?: word as Any }
        }
    }

    private fun skipSpace() {
        while (position < text.length && text[position].isWhitespace()) position++
    }

    private fun <Element> list(end: Char, element: () -> Element): List<Element> {
        val elements = mutableListOf<Element>()
        position++
        skipSpace()
        while (text[position] != end) {
            elements += element()
            skipSpace()
            if (text[position] == ',') position++
            skipSpace()
        }
        position++
        return elements
    }

    private fun word(): String {
        val start = position
        while (position < text.length && text[position] !in ",]} \n") position++
        return text.substring(start, position)
    }

    private fun string(): String {
        val result = StringBuilder()
        position++
        while (text[position] != '"') {
            if (text[position] == '\\') result.append(escaped()) else result.append(text[position])
            position++
        }
        position++
        return result.toString()
    }

    private fun escaped(): Char = when (val character = text[++position]) {
        'n' -> '\n'
        't' -> '\t'
        'r' -> '\r'
        'b' -> '\b'
        'f' -> '\u000C'
        'u' -> text.substring(position + 1, position + 5).toInt(16).toChar().also { position += 4 }
        else -> character
    }
}
