// Written by Scripts/tracking-plan. Change the plan, not this file.
import { Integer, WireEvent } from './wire';

/**
 * Which values arrive / * unchanged.
 *
 * `values`, owned by Tests.
 */
export interface Values {
  /**
   * An integer that may be larger than a double represents, which a receiver stores as 64 bits on
   * all platforms.
   */
  readonly large: Integer;
  readonly lines: readonly ValuesLine[];
  readonly small: Integer;
  /** A fixed * / value. */
  readonly state: '' | 'new' | 'in_use' | '3rd';
  readonly whole: number;
  readonly flag?: boolean;
  readonly flags?: readonly boolean[];
  readonly lists?: readonly (readonly Integer[])[];
  readonly number?: number;
  readonly object_?: ValuesObject_;
  /** Default: `kinds`. */
  readonly screen?: string;
  /** Several fixed values. */
  readonly states?: readonly ('' | 'new' | 'in_use' | '3rd')[];
  readonly text?: string;
  readonly texts?: readonly string[];
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

export interface ValuesLine {
  readonly price: number;
  readonly note?: string;
}

function valuesLine(value: ValuesLine) {
  return {
    price: value.price,
    note: value.note,
  };
}

export interface ValuesObject_ {
  readonly inner: ValuesObject_Inner;
}

export interface ValuesObject_Inner {
  readonly deep: number;
}

function valuesObject_Inner(value: ValuesObject_Inner) {
  return {
    deep: value.deep,
  };
}

function valuesObject_(value: ValuesObject_) {
  return {
    inner: valuesObject_Inner(value.inner),
  };
}

/** Returns `values` for awesomeTracking. */
export function values(event: Values): WireEvent {
  return {
    product: 'AC',
    service: 'awesomeTracking',
    name: 'values',
    parameters: {
      large: event.large,
      lines: event.lines.map((item) => valuesLine(item)),
      small: event.small,
      state: event.state,
      whole: event.whole,
      flag: event.flag,
      flags: event.flags,
      lists: event.lists,
      number: event.number,
      object: event.object_ && valuesObject_(event.object_),
      screen: event.screen ?? 'kinds',
      states: event.states,
      text: event.text,
      texts: event.texts,
      theme: event.theme ?? 'dark_blue',
    },
  };
}

/**
 * To break a rule.
 *
 * `delete`, owned by Tests.
 */
export interface Delete {
  readonly _3d: Integer;
  readonly proto: Integer;
  readonly aBCD: Integer;
  readonly arguments_: Integer;
  readonly await_: Integer;
  readonly class_: Integer;
  readonly component1: Integer;
  readonly constructor_: Integer;
  readonly copy: Integer;
  readonly event: Integer;
  readonly fun_: Integer;
  readonly hashCode: Integer;
  readonly in_: Integer;
  readonly item: Integer;
  readonly json: Integer;
  readonly name: Integer;
  readonly new_: Integer;
  readonly object_: Integer;
  readonly product: Integer;
  readonly toJson: Integer;
  readonly toString_: Integer;
  readonly typealias_: Integer;
  readonly value: Integer;
  readonly when_: Integer;
  readonly wire: Integer;
  readonly yield_: Integer;
  readonly ürünAdı: Integer;
  /** Default: `kinds`. */
  readonly screen?: string;
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

/** Returns `delete` for awesomeTracking. */
export function delete_(event: Delete): WireEvent {
  return {
    product: 'AC',
    service: 'awesomeTracking',
    name: 'delete',
    parameters: {
      ['3d']: event._3d,
      ['__proto__']: event.proto,
      ['a-b.c d']: event.aBCD,
      arguments: event.arguments_,
      await: event.await_,
      class: event.class_,
      component1: event.component1,
      constructor: event.constructor_,
      copy: event.copy,
      event: event.event,
      fun: event.fun_,
      hashCode: event.hashCode,
      in: event.in_,
      item: event.item,
      json: event.json,
      name: event.name,
      new: event.new_,
      object: event.object_,
      product: event.product,
      toJson: event.toJson,
      toString: event.toString_,
      typealias: event.typealias_,
      value: event.value,
      when: event.when_,
      wire: event.wire,
      yield: event.yield_,
      ['ürün_adı']: event.ürünAdı,
      screen: event.screen ?? 'kinds',
      theme: event.theme ?? 'dark_blue',
    },
  };
}

/**
 * To break a rule.
 *
 * `3d_görünüm`, owned by Tests.
 */
export interface _3dGörünüm {
  /** Default: `kinds`. */
  readonly screen?: string;
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

/** Returns `3d_görünüm` for awesomeTracking. */
export function _3dGörünüm(event: _3dGörünüm = {}): WireEvent {
  return {
    product: 'AC',
    service: 'awesomeTracking',
    name: '3d_görünüm',
    parameters: {
      screen: event.screen ?? 'kinds',
      theme: event.theme ?? 'dark_blue',
    },
  };
}

/**
 * To break a rule.
 *
 * `STRING`, owned by Tests.
 */
export interface String_ {
  readonly string: String_String_;
  readonly iı: string;
  /** Default: `kinds`. */
  readonly screen?: string;
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

export interface String_String_ {
  readonly json: String_String_Json_;
}

export interface String_String_Json_ {
  readonly value: boolean;
}

function string_String_Json_(value: String_String_Json_) {
  return {
    value: value.value,
  };
}

function string_String_(value: String_String_) {
  return {
    Json: string_String_Json_(value.json),
  };
}

/** Returns `STRING` for awesomeTracking. */
export function string_(event: String_): WireEvent {
  return {
    product: 'AC',
    service: 'awesomeTracking',
    name: 'STRING',
    parameters: {
      String: string_String_(event.string),
      ['İı']: event.iı,
      screen: event.screen ?? 'kinds',
      theme: event.theme ?? 'dark_blue',
    },
  };
}

/**
 * To break a rule.
 *
 * `wire.event`, owned by Tests.
 */
export interface WireEvent_ {
  readonly items: readonly WireEvent_Item[];
  /** Default: `kinds`. */
  readonly screen?: string;
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

export interface WireEvent_Item {
  readonly items: readonly WireEvent_ItemItem[];
}

export interface WireEvent_ItemItem {
  readonly items: Integer;
}

function wireEvent_ItemItem(value: WireEvent_ItemItem) {
  return {
    items: value.items,
  };
}

function wireEvent_Item(value: WireEvent_Item) {
  return {
    items: value.items.map((item) => wireEvent_ItemItem(item)),
  };
}

/** Returns `wire.event` for awesomeTracking. */
export function wireEvent_(event: WireEvent_): WireEvent {
  return {
    product: 'AC',
    service: 'awesomeTracking',
    name: 'wire.event',
    parameters: {
      items: event.items.map((item) => wireEvent_Item(item)),
      screen: event.screen ?? 'kinds',
      theme: event.theme ?? 'dark_blue',
    },
  };
}
