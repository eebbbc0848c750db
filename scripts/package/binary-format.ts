/** The architectures that Lanyard is built for, by Node's names. */
export type Architecture = 'x64' | 'arm64';

/** What a program or library is made for, as its own header says. */
export interface BinaryFormat {
  platform: 'linux' | 'darwin' | 'win32';
  /** More than one in a universal binary of macOS. */
  architectures: readonly Architecture[];
}

/** Reads the header of an ELF, Mach-O or PE file; null: none of those, or of an architecture that is not built. */
export function readBinaryFormat(file: Buffer): BinaryFormat | null {
  try {
    return readElf(file) ?? readMachO(file) ?? readPe(file);
  } catch (error) {
    // It ends before its header does.
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

const elfMachines: Readonly<Record<number, Architecture>> = { 62: 'x64', 183: 'arm64' };
const machOProcessors: Readonly<Record<number, Architecture>> = { 16777223: 'x64', 16777228: 'arm64' };
const peMachines: Readonly<Record<number, Architecture>> = { 34404: 'x64', 43620: 'arm64' };

function format(
  platform: BinaryFormat['platform'],
  found: readonly (Architecture | undefined)[],
): BinaryFormat | null {
  const architectures = found.filter((each) => each !== undefined);
  return architectures.length === found.length && found.length > 0 ? { platform, architectures } : null;
}

function readElf(file: Buffer): BinaryFormat | null {
  const isElf = file.readUInt32BE(0) === 0x7f454c46;
  // 64 bits, little-endian.
  return isElf && file.readUInt8(4) === 2 && file.readUInt8(5) === 1
    ? format('linux', [elfMachines[file.readUInt16LE(18)]])
    : null;
}

function readMachO(file: Buffer): BinaryFormat | null {
  if (file.readUInt32LE(0) === 0xfeedfacf) {
    return format('darwin', [machOProcessors[file.readUInt32LE(4)]]);
  }
  if (file.readUInt32BE(0) !== 0xcafebabe) {
    return null;
  }
  // A Java class begins alike; its "number of architectures" is its version, which is far above.
  const count = file.readUInt32BE(4);
  const entries = Array.from({ length: Math.min(count, 8) }, (_, at) => file.readUInt32BE(8 + at * 20));
  return format(
    'darwin',
    entries.map((processor) => machOProcessors[processor]),
  );
}

function readPe(file: Buffer): BinaryFormat | null {
  if (file.toString('latin1', 0, 2) !== 'MZ') {
    return null;
  }
  const header = file.readUInt32LE(0x3c);
  return file.toString('latin1', header, header + 4) === 'PE\0\0'
    ? format('win32', [peMachines[file.readUInt16LE(header + 4)]])
    : null;
}
