import type { Pkcs11Config } from '../../contract/config/accounts/pkcs11.ts';
import { readTokenUri, type TokenSelect } from '../../contract/config/accounts/pkcs11-uri.ts';
import type { KeyView, SlotView, TokenView } from './slot-view.ts';

/** What config.yaml says of the token and the key. */
export type StatedSelection = Pick<Pkcs11Config, 'uri' | 'token' | 'serial' | 'slot' | 'label' | 'id'>;

/** Which token and key an account means. */
export function selectionOf({ uri, token, serial, slot, label, id }: StatedSelection): TokenSelect {
  const read = uri === undefined ? null : readTokenUri(uri);
  return read?.ok
    ? { ...read.select }
    : {
        ...(token !== undefined && { token }),
        ...(serial !== undefined && { serial }),
        ...(slot !== undefined && { slot }),
        ...(label !== undefined && { label }),
        ...(id !== undefined && { id }),
      };
}

/** Whether that token is meant, as lanyard-keys decides (native-helper/keys/src/select.rs). */
export function isTokenSelected(
  select: TokenSelect,
  { slot, token }: Pick<SlotView, 'slot'> & { token: TokenView },
): boolean {
  const fits = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found;
  return (
    token.flags.initialized &&
    fits(select.token, token.label) &&
    fits(select.serial, token.serial) &&
    fits(select.manufacturer, token.manufacturer) &&
    fits(select.model, token.model) &&
    (select.slot === undefined || select.slot === slot)
  );
}

/** Whether that key of a selected token is meant. A label may be its certificate’s. */
export function isKeySelected(
  { label, id }: TokenSelect,
  key: KeyView,
  { certificates }: TokenView,
): boolean {
  const isLabelled =
    label === undefined ||
    key.label === label ||
    certificates.some((each) => each.label === label && each.id === key.id);
  return isLabelled && (id === undefined || id.toLowerCase() === key.id);
}
