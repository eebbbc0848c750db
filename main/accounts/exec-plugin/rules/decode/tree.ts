/**
 * The content of a JSON text, with the members of an object in their order and with repetitions: Go's decoders see
 * each of them. No credential uses numbers, booleans or lists.
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
