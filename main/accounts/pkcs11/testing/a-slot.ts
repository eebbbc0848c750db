import type { KeyView, SlotView, TokenView } from '../slot-view.ts';

/** A P-256 key with the first certificate. */
export function aKey(fields: Partial<KeyView> = {}): KeyView {
  return {
    label: 'me',
    id: '01',
    kind: 'ec',
    bits: 256,
    curve: 'P-256',
    private: false,
    certificate: 0,
    schemes: [0x0403],
    problem: null,
    ...fields,
  };
}

/** Slot 0 with the token `card`, which wants a PIN. */
export function aSlot(
  fields: Partial<Omit<TokenView, 'flags'>> & { slot?: number; flags?: Partial<TokenView['flags']> } = {},
): SlotView & { token: TokenView } {
  const { slot = 0, flags, ...token } = fields;
  return {
    slot,
    description: 'a reader',
    token: {
      label: 'card',
      manufacturer: 'Maker',
      model: 'One',
      serial: '17',
      mechanisms: ['ECDSA'],
      certificates: [{ label: 'me', id: '01', pem: '' }],
      keys: [aKey()],
      ...token,
      flags: {
        loginRequired: true,
        pinPad: false,
        initialized: true,
        userPinSet: true,
        triesLow: false,
        finalTry: false,
        locked: false,
        writeProtected: false,
        ...flags,
      },
    },
  };
}
