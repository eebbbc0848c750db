import type { Architecture, BinaryFormat } from './binary-format.ts';

/** What is packaged for. */
export interface Target {
  platform: BinaryFormat['platform'];
  /** `universal` is both architectures in each binary: macOS alone. */
  architecture: Architecture | 'universal';
}

/** What `npm run package -- WORDS` asks for. */
export interface PackageOptions {
  target: Target;
  /** Tests only: stub files in the place of Electron's. */
  standIn: boolean;
  /** Builds the app first, unless it is told that all is built. */
  build: boolean;
  /** Passed on to electron-builder as they are. */
  words: readonly string[];
}

const platforms: Readonly<Record<string, Target['platform']>> = {
  '--linux': 'linux',
  '-l': 'linux',
  '--mac': 'darwin',
  '-m': 'darwin',
  '--win': 'win32',
  '-w': 'win32',
};
const platformWords: Readonly<Record<Target['platform'], string>> = {
  linux: '--linux',
  darwin: '--mac',
  win32: '--win',
};
const architectures = ['--x64', '--arm64', '--universal'];

/** Reads the words after `npm run package --`; a text says what is wrong with them. */
export function readOptions(
  words: readonly string[],
  host: { platform: string; architecture: string },
): PackageOptions | string {
  const own = ['--stand-in', '--no-build'];
  const given = words.filter((word) => !own.includes(word));
  const chosen = [...new Set(given.map((word) => platforms[word]).filter((each) => each !== undefined))];
  const chosenArchitectures = [...new Set(given.filter((word) => architectures.includes(word)))];
  if (chosen.length > 1 || chosenArchitectures.length > 1) {
    return 'one platform and one architecture at a time: what goes in is built for just that';
  }
  const platform = chosen[0] ?? Object.values(platforms).find((each) => each === host.platform);
  if (platform === undefined) {
    return `${host.platform} is not packaged for: name one of --linux, --mac, --win`;
  }
  const architecture =
    chosenArchitectures[0]?.slice('--'.length) ?? (platform === 'darwin' ? 'universal' : host.architecture);
  if (architecture !== 'x64' && architecture !== 'arm64' && architecture !== 'universal') {
    return `${architecture} is not packaged for: name one of --x64, --arm64`;
  }
  if (architecture === 'universal' && platform !== 'darwin') {
    return '--universal is for macOS alone';
  }
  return {
    target: { platform, architecture },
    standIn: words.includes('--stand-in'),
    build: !words.includes('--no-build'),
    words: [
      ...(chosen.length === 0 ? [platformWords[platform]] : []),
      ...given,
      ...(chosenArchitectures.length === 0 ? [`--${architecture}`] : []),
    ],
  };
}

/** One or, in a universal one, both. */
export function architecturesOf({ architecture }: Target): readonly Architecture[] {
  return architecture === 'universal' ? ['x64', 'arm64'] : [architecture];
}

const triples: Readonly<Record<Target['platform'], string>> = {
  linux: 'unknown-linux-gnu',
  darwin: 'apple-darwin',
  win32: 'pc-windows-msvc',
};

/** Rust's name for a target. */
export function rustTarget(platform: Target['platform'], architecture: Architecture): string {
  return `${architecture === 'x64' ? 'x86_64' : 'aarch64'}-${triples[platform]}`;
}

/** The helper's file name. */
export function helperName(platform: Target['platform']): string {
  return platform === 'win32' ? 'lanyard.exe' : 'lanyard';
}

/** The file name of the request proxy's data plane, which lies beside the helper. */
export function proxyName(platform: Target['platform']): string {
  return platform === 'win32' ? 'lanyard-proxy.exe' : 'lanyard-proxy';
}

/** The file name of the program that loads a PKCS#11 module, which lies beside the helper. */
export function keysName(platform: Target['platform']): string {
  return platform === 'win32' ? 'lanyard-keys.exe' : 'lanyard-keys';
}
