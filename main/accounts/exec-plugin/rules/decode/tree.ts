/**
 * What a JSON text says, with the members of an object in their order and as often as they are there: Go's decoders
 * look at each of them. Of a number, a boolean or a list no credential has any use.
 */
export type Tree =
  | { kind: 'null' | 'bool' | 'number' | 'array' }
  | { kind: 'string'; value: string }
  | { kind: 'object'; members: readonly Member[] };

export type Member = readonly [name: string, value: Tree];

/** What can't be read. No word of the text is in `message`: it may hold a secret. */
export interface Unreadable {
  ok: false;
  message: string;
}
