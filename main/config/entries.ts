import { type Document, isMap, isScalar, type Pair, YAMLMap } from 'yaml';

/** The entries of one top-level mapping, indexed by name: the document’s own lookup scans the mapping each time. */
export class Entries {
  readonly #document: Document;
  readonly #group: string;
  #map: YAMLMap | undefined;
  #byName: Map<string, Pair> | undefined;

  constructor(document: Document, group: string) {
    this.#document = document;
    this.#group = group;
  }

  /** The node of an entry; undefined where there is none. */
  find(name: string): unknown {
    return this.#index().get(name)?.value;
  }

  /** Sets an entry’s value in place; a new entry comes last. */
  set(name: string, value: unknown): void {
    const node = this.#document.createNode(value);
    const old = this.#index().get(name);
    if (old) {
      old.value = node;
      return;
    }
    const pair = this.#document.createPair(name, node);
    const map = this.#map ?? this.#createMap();
    if (map.items.length === 0) {
      map.flow = false;
    }
    map.items.push(pair);
    this.#index().set(name, pair);
  }

  remove(name: string): void {
    const old = this.#index().get(name);
    if (old && this.#map) {
      this.#map.items.splice(this.#map.items.indexOf(old), 1);
      this.#index().delete(name);
    }
  }

  #index(): Map<string, Pair> {
    if (this.#byName === undefined) {
      const { contents } = this.#document;
      const map: unknown = isMap(contents) ? contents.get(this.#group, true) : undefined;
      this.#map = isMap(map) ? map : undefined;
      this.#byName = new Map(this.#map?.items.map((pair) => [nameOf(pair), pair]));
    }
    return this.#byName;
  }

  #createMap(): YAMLMap {
    const document = this.#document;
    if (!isMap(document.contents)) {
      document.contents = document.createNode({ version: 1 }) as never;
    }
    this.#map = new YAMLMap(document.schema);
    (document.contents as unknown as YAMLMap).set(this.#group, this.#map);
    return this.#map;
  }
}

/** A name that YAML reads as a number is the entry’s name all the same. */
function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
