/**
 * The content of a JSON text, with the members of an object in their order and with repetitions: Go's decoders see
 * each of them.
 */
export type Tree =
  | { kind: 'null' }
  /** As it is written: no text that is decoded here has numbers but as names in YAML. */
  | { kind: 'number'; text: string }
  | { kind: 'bool'; value: boolean }
  | { kind: 'string'; value: string }
  | { kind: 'array'; items: readonly Tree[] }
  | { kind: 'object'; members: readonly Member[] };

export type Member = readonly [name: string, value: Tree];

/** What can't be read. No value of the text is in `message`: it may be a secret. */
export interface Unreadable {
  ok: false;
  message: string;
}
