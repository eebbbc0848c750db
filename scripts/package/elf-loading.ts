/** What a program of Linux asks of the loader (elf(5); 64 bits, little-endian). */
export interface ElfLoading {
  /** What makes an error in its memory easier to use than it has to be, a phrase each. */
  weaknesses: readonly string[];
  /** The libraries that it is linked with; none in a static program. */
  libraries: readonly string[];
}

const positionIndependent = 3;
const segments = { load: 1, dynamic: 2, stack: 0x6474e551, readOnlyAfterRelocation: 0x6474e552 };
const canWrite = 2;
const canExecute = 1;
const tags = {
  needed: 1n,
  strings: 5n,
  rpath: 15n,
  bindNow: 24n,
  runpath: 29n,
  flags: 30n,
  flags1: 0x6ffffffbn,
};
const flagBindNow = 8n;
const flag1Now = 1n;

interface Segment {
  type: number;
  flags: number;
  offset: number;
  address: number;
  size: number;
}

/** Reads an ELF file that `readBinaryFormat` knows as one. Throws a RangeError where it ends early. */
export function readElfLoading(file: Buffer): ElfLoading {
  const all = readSegments(file);
  const of = (type: number) => all.filter((each) => each.type === type);
  const entries = of(segments.dynamic).flatMap((segment) => readDynamic(file, segment));
  const values = (tag: bigint) => entries.filter((each) => each.tag === tag).map(({ value }) => value);
  const has = (tag: bigint, flag: bigint) => values(tag).some((value) => (value & flag) !== 0n);

  const bindsNow =
    values(tags.bindNow).length > 0 || has(tags.flags, flagBindNow) || has(tags.flags1, flag1Now);
  const isExecutable = ({ flags }: Segment) => (flags & canExecute) !== 0;
  const isStackExecutable = of(segments.stack).length === 0 || of(segments.stack).some(isExecutable);
  const isWritableCode = (each: Segment) => isExecutable(each) && (each.flags & canWrite) !== 0;
  const weaknesses = [
    [file.readUInt16LE(16) !== positionIndependent, 'its address is fixed'],
    [isStackExecutable, 'its stack can be executed'],
    [of(segments.load).some(isWritableCode), 'it has code that can be written'],
    [
      of(segments.readOnlyAfterRelocation).length === 0 || !bindsNow,
      'its tables of addresses can be written',
    ],
    [values(tags.rpath).length + values(tags.runpath).length > 0, 'it names folders for libraries'],
  ] as const;
  const strings = values(tags.strings).map((address) => fileOffset(all, Number(address)))[0] ?? 0;
  return {
    weaknesses: weaknesses.flatMap(([isSo, phrase]) => (isSo ? [phrase] : [])),
    libraries: values(tags.needed).map((at) => readString(file, strings + Number(at))),
  };
}

function readSegments(file: Buffer): Segment[] {
  const start = Number(file.readBigUInt64LE(32));
  const size = file.readUInt16LE(54);
  return Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = start + index * size;
    return {
      type: file.readUInt32LE(at),
      flags: file.readUInt32LE(at + 4),
      offset: Number(file.readBigUInt64LE(at + 8)),
      address: Number(file.readBigUInt64LE(at + 16)),
      size: Number(file.readBigUInt64LE(at + 32)),
    };
  });
}

function readDynamic(file: Buffer, { offset, size }: Segment): { tag: bigint; value: bigint }[] {
  return Array.from({ length: size / 16 }, (_, index) => ({
    tag: file.readBigUInt64LE(offset + index * 16),
    value: file.readBigUInt64LE(offset + index * 16 + 8),
  }));
}

function fileOffset(all: readonly Segment[], address: number): number {
  const holder = all.find(
    (each) => each.type === segments.load && each.address <= address && address < each.address + each.size,
  );
  if (holder === undefined) throw new RangeError('an address outside of all segments');
  return address - holder.address + holder.offset;
}

function readString(file: Buffer, at: number): string {
  return file.toString('latin1', at, file.indexOf(0, at));
}
