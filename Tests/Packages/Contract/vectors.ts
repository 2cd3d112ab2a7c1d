import { examples } from './examples';
import { Envelope, ga4Body, ga4Url, row } from './wire';

/** The file `vectors.json`. */
interface Vectors {
  readonly envelope: Envelope;
  readonly vectors: readonly Vector[];
}

interface Vector {
  readonly product: string;
  readonly service: string;
  readonly name: string;
  readonly example: number;
  readonly url: string;
  readonly body: string;
}

/** Returns the vectors, and those whose requests differ as JSON from the requests of the generated events. */
export function compare(file: string): { count: number; differences: string[] } {
  const { envelope, vectors } = JSON.parse(file) as Vectors;
  const differences = vectors.flatMap((vector, index) => {
    const event = examples[index];
    const place = `${vector.product} ${vector.service} ${vector.name}, example ${vector.example}`;
    const isGA4 = vector.service === 'firebase';
    const query = new Map(vector.url.split('?')[1].split('&').map((part) => part.split('=') as [string, string]));
    const url = isGA4 ? ga4Url(query.get('firebase_app_id') ?? '', query.get('api_secret') ?? '') : vector.url;
    const body = isGA4 ? ga4Body(event, envelope) : row(event, envelope);
    if (url !== vector.url) return [`${place}: ${url} instead of ${vector.url}`];
    return canonical(body) === canonical(vector.body) ? [] : [`${place}:\n  ${body}\n  instead of\n  ${vector.body}`];
  });
  if (examples.length !== vectors.length) differences.push(`${examples.length} examples, ${vectors.length} vectors`);
  return { count: vectors.length, differences };
}

/** Returns a row or a request with sorted members, and the parameters of a row as a document too. */
function canonical(json: string): string {
  const document = exact(json) as { props?: unknown };
  return JSON.stringify(sorted({ ...document, props: typeof document.props === 'string' && exact(document.props) }));
}

/** Parses a document, with all digits of the integers that a number would round. */
function exact(json: string): unknown {
  const large = /("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g;
  return JSON.parse(json.replace(large, (_, text, digits) => text ?? `"#${digits}"`));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1));
  return members.map(([key, member]) => [key, sorted(member)]);
}
