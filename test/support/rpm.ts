/** What an rpm says of itself, by the numbers of its header's tags (rpm's own "rpmtag.h"). */
export const rpmTags = {
  name: 1000,
  version: 1001,
  summary: 1004,
  vendor: 1011,
  license: 1014,
  arch: 1022,
  postInstall: 1024,
  postUninstall: 1026,
  fileLinks: 1036,
  requires: 1049,
  baseNames: 1117,
  dirIndexes: 1116,
  dirNames: 1118,
} as const;

/** Reads texts and 32-bit numbers of a tag; empty where the rpm doesn't have it. */
export interface RpmHeader {
  texts(tag: number): string[];
  numbers(tag: number): number[];
  /** The paths of all its files. */
  files(): string[];
}

const leadBytes = 96;
const entryBytes = 16;
/** Types of values: a text, texts, a text in many languages; a 32-bit number. */
const textTypes = [6, 8, 9];
const numberType = 4;

/** Reads an rpm's main header, the second one: the first is that of signatures. Throws where it is no rpm. */
export function readRpm(file: Buffer): RpmHeader {
  const signature = section(file, leadBytes);
  // The first header is filled up to eight bytes.
  const main = section(file, Math.ceil(signature.end / 8) * 8);
  const entry = (tag: number) => main.entries.find((each) => each.tag === tag);
  const texts = (tag: number) => {
    const found = entry(tag);
    return found !== undefined && textTypes.includes(found.type)
      ? file.toString('utf8', found.at).split('\0', found.count)
      : [];
  };
  const numbers = (tag: number) => {
    const found = entry(tag);
    return found?.type === numberType
      ? Array.from({ length: found.count }, (_, index) => file.readUInt32BE(found.at + index * 4))
      : [];
  };
  return {
    texts,
    numbers,
    files() {
      const folders = texts(rpmTags.dirNames);
      const indexes = numbers(rpmTags.dirIndexes);
      return texts(rpmTags.baseNames).map((name, at) => `${folders[indexes[at] ?? 0]}${name}`);
    },
  };
}

function section(file: Buffer, at: number) {
  if (file.readUInt32BE(at) !== 0x8eade801) {
    throw new Error('no header of an rpm');
  }
  const count = file.readUInt32BE(at + 8);
  const store = at + entryBytes + count * entryBytes;
  const entries = Array.from({ length: count }, (_, index) => {
    const from = at + entryBytes + index * entryBytes;
    return {
      tag: file.readUInt32BE(from),
      type: file.readUInt32BE(from + 4),
      at: store + file.readUInt32BE(from + 8),
      count: file.readUInt32BE(from + 12),
    };
  });
  return { entries, end: store + file.readUInt32BE(at + 12) };
}
