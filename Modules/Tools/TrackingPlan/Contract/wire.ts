// Written by Scripts/tracking-plan. Change the plan, not this file.

/**
 * An integer of 64 bits. Beyond 2^53, a `number` has lost digits before it gets here, so pass a `bigint`.
 * Both are a JSON number on the wire, as on the other platforms.
 */
export type Integer = number | bigint;

export type JsonValue = string | Integer | boolean | undefined | JsonObject | readonly JsonValue[];

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An event as its service gets it. */
export interface WireEvent {
  readonly product: string;
  readonly service: string;
  readonly name: string;
  readonly parameters: JsonObject;
}

/** What the library adds to an event. */
export interface Envelope {
  /** A UUID of version 7, by which receivers recognize an event that arrives twice. */
  readonly eventId: string;
  /** The time of the event in microseconds since 1970. */
  readonly timeMicros: number;
  /** The number of the event in its session, from 1. */
  readonly sequence: number;
  /** The installation's id of 32 hexadecimal digits. */
  readonly deviceId: string;
  /** The signed-in user, or an empty text. */
  readonly userId: string;
  /** The session, or an empty text outside of a session. */
  readonly sessionId: string;
  /** A positive number of the session, such as its start in seconds. */
  readonly sessionNumber: number;
}

/** Returns the row of an event for the in-house service with the number of the plan, as one line of NDJSON. */
export function row(event: WireEvent, envelope: Envelope, appVersion = '', schema = 1): string {
  const columns = {
    event_id: envelope.eventId,
    name: event.name,
    ts_ms: Math.floor(envelope.timeMicros / 1000),
    seq: envelope.sequence,
    session_id: envelope.sessionId,
    device_id: envelope.deviceId,
    user_id: envelope.userId,
    product: event.product,
    app_version: appVersion,
    schema,
    props: text(event.parameters),
  };
  return text(columns) + '\n';
}

/** Returns the address of GA4's Measurement Protocol for an app stream. */
export function ga4Url(firebaseAppId: string, apiSecret: string): string {
  const id = encodeURIComponent(firebaseAppId).replace(/%3A/g, ':');
  const secret = encodeURIComponent(apiSecret).replace(/%3A/g, ':');
  return `https://www.google-analytics.com/mp/collect?firebase_app_id=${id}&api_secret=${secret}`;
}

/** Returns the body of a request with one event to GA4's Measurement Protocol. */
export function ga4Body(event: WireEvent, envelope: Envelope): string {
  const session = envelope.sessionId;
  const isNumber = /^[1-9][0-9]{0,17}$/.test(session);
  const number = session === '' ? undefined : isNumber ? BigInt(session) : envelope.sessionNumber;
  const name = session === '' || isNumber ? undefined : session;
  const { session_id = number, app_session = name, engagement_time_msec = 1 } = event.parameters;
  const params = {
    ...event.parameters,
    event_id: envelope.eventId,
    session_id,
    app_session,
    engagement_time_msec,
  };
  const body = {
    app_instance_id: envelope.deviceId,
    user_id: envelope.userId === '' ? undefined : envelope.userId,
    events: [{ name: event.name, timestamp_micros: envelope.timeMicros, params }],
  };
  return text(body, true);
}

/** Returns a value as JSON, for GA4 with 1 and 0 for Booleans. An object leaves out absent members. */
function text(value: JsonValue, flagsAsNumbers = false): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean' && flagsAsNumbers) return value ? '1' : '0';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map((element) => text(element, flagsAsNumbers)).join(',')}]`;
  const members = Object.keys(value)
    .filter((key) => isWritable(value[key]))
    .map((key) => `${JSON.stringify(key)}:${text(value[key], flagsAsNumbers)}`);
  return `{${members.join(',')}}`;
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns whether JSON has such a value. */
function isWritable(value: JsonValue): boolean {
  return value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
}
