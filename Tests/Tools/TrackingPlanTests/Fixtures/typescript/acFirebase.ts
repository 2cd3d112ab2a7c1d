// Written by Scripts/tracking-plan. Change the plan, not this file.
import { Integer, WireEvent } from './wire';

/**
 * To break a rule.
 *
 * `view_item`, owned by Tests.
 */
export interface ViewItem {
  readonly isNew: boolean;
  readonly items?: readonly ViewItemItem[];
  /** Default: `kinds`. */
  readonly screen?: string;
  readonly sessionId?: Integer;
  /**
   * Fixed values with a default.
   *
   * Default: `dark_blue`.
   */
  readonly theme?: 'light' | 'dark_blue';
}

export interface ViewItemItem {
  readonly itemId: string;
  readonly price: number;
}

function viewItemItem(value: ViewItemItem) {
  return {
    item_id: value.itemId,
    price: value.price,
  };
}

/** Returns `view_item` for firebase. */
export function viewItem(event: ViewItem): WireEvent {
  return {
    product: 'AC',
    service: 'firebase',
    name: 'view_item',
    parameters: {
      is_new: event.isNew,
      items: event.items?.map((item) => viewItemItem(item)),
      screen: event.screen ?? 'kinds',
      session_id: event.sessionId,
      theme: event.theme ?? 'dark_blue',
    },
  };
}
