// Written by Scripts/tracking-plan. Change the plan, not this file.
import { WireEvent } from './wire';
import * as acAwesomeTracking from './acAwesomeTracking';
import * as acFirebase from './acFirebase';

/** The examples of the plan, in the order of `vectors.json`. */
export const examples: readonly WireEvent[] = [
  acAwesomeTracking.values({ large: -9223372036854775808n, lines: [{ price: 1 }, { price: 2.5, note: 'n' }], small: -1, state: '', whole: 2, flag: true, flags: [false], lists: [[1], [2, 3]], number: 0.1, object_: { inner: { deep: 1.5 } }, states: ['new', 'in_use', '3rd'], text: '"$a\\ \'\u000a\u0001🙂\u2028</script>', texts: ['a', ''], theme: 'light' }),
  acAwesomeTracking.values({ large: 9223372036854775807n, lines: [], small: 1, state: 'new', whole: 1e+300 }),
  acAwesomeTracking.delete_({ _3d: 1, proto: 1, aBCD: 1, arguments_: 1, await_: 1, class_: 1, component1: 1, constructor_: 1, copy: 1, event: 1, fun_: 1, hashCode: 1, in_: 1, item: 1, json: 1, name: 1, new_: 1, object_: 1, product: 1, toJson: 1, toString_: 1, typealias_: 1, value: 1, when_: 1, wire: 1, yield_: 1, ürünAdı: 1 }),
  acAwesomeTracking._3dGörünüm({}),
  acAwesomeTracking.string_({ string: { json: { value: true } }, iı: 'ş' }),
  acAwesomeTracking.wireEvent_({ items: [{ items: [{ items: 1 }] }] }),
  acFirebase.viewItem({ isNew: true, items: [{ itemId: '7', price: 24.9 }] }),
  acFirebase.viewItem({ isNew: false, sessionId: 8 }),
];
