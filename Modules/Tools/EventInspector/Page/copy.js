// Keeps the text of a number, because 420.0 and 420 are different literals.
class Literal { constructor(text) { this.text = text; } }
const exact = (json) => JSON.parse(json, (key, value, context) =>
  typeof value === "number" ? new Literal(context?.source ?? String(value)) : value);

function swiftText(text) {
  let made = "";
  for (const sign of text) {
    const code = sign.codePointAt(0);
    if (sign === '"' || sign === "\\") made += "\\" + sign;
    else if (sign === "\n") made += "\\n";
    else if (code < 32 || code === 127 || code === 0x2028 || code === 0x2029) {
      made += `\\u{${code.toString(16)}}`;
    }
    else made += sign;
  }
  return `"${made}"`;
}

function swift(value) {
  if (value instanceof Literal) return value.text;
  if (typeof value === "string") return swiftText(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(swift).join(", ")}]`;
  const members = Object.entries(value ?? {}).map(([key, member]) => `${swiftText(key)}: ${swift(member)}`);
  return members.length ? `[${members.join(", ")}]` : "[:]";
}

const kinds = { firebase: "FirebaseEvent", awesomeTracking: "AwesomeTrackingEvent" };
function testText() {
  const statements = detail.services.map(({ service, name, own }) => {
    const kind = kinds[service] ?? "VendorEvent";
    const vendor = kinds[service] ? "" : `${swiftText(service)}, `;
    return `    ${kind}(${vendor}${swiftText(name)}, ${swift(exact(own))})`;
  });
  return `event.expectServices {\n${statements.join("\n")}\n}\n`;
}

const copies = {
  json: () => JSON.stringify(detail, null, 2),
  curl: () => detail.services.map(({ curl }) => curl).filter(Boolean).join("\n\n"),
  test: testText,
  ndjson: () => detail.services.map(({ body }) => body.replace(/[\r\n]+/g, " ")).filter(Boolean).join("\n"),
};

async function copy(kind) {
  const text = copies[kind]();
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = text ? "copied" : "there is nothing to copy yet";
  } catch {
    $("plain").value = text;
    $("text").showModal();
    $("plain").select();
  }
}
