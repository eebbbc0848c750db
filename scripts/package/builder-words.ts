import type { Target } from './target.ts';

export interface BuilderInput {
  target: Target;
  env: NodeJS.ProcessEnv;
  standIn: boolean;
  /** Of updates, as the app was built; null: none. */
  feed: string | null;
}

export interface BuilderOutput {
  /** For electron-builder, after those of the person. */
  words: readonly string[];
  /** What this build goes without, a line each. */
  notes: readonly string[];
}

/** What the environment says of signing and updates, in electron-builder's words. */
export function builderWords({ target, env, standIn, feed }: BuilderInput): BuilderOutput {
  const words = ['--publish', 'never'];
  const notes: string[] = [];
  const set = (name: string) => (env[name] ?? '') !== '';
  if (standIn) {
    notes.push('WITH A STAND-IN FOR ELECTRON: nothing of this runs; for the tests of packaging alone');
  }

  if (feed === null) {
    notes.push('without updates: the app was built for no feed');
  } else {
    // So that manifests are made; the app looks at none of electron-builder's own settings.
    words.push('-c.publish.provider=generic', `-c.publish.url=${feed}`);
  }

  const isSigned = set('CSC_LINK') || set('CSC_NAME');
  if (target.platform === 'darwin') {
    const isNotarized =
      isSigned && (set('APPLE_API_KEY') || set('APPLE_ID') || set('APPLE_KEYCHAIN_PROFILE'));
    words.push(`-c.mac.notarize=${isNotarized}`);
    if (!isSigned) {
      // Ad hoc: Apple's own processors start nothing unsigned. Its parts have no common owner, whom the hardened
      // runtime would ask for.
      words.push('-c.mac.identity=-', '-c.mac.hardenedRuntime=false');
      notes.push('not signed: neither CSC_LINK nor CSC_NAME is set');
    }
    if (!isNotarized) {
      notes.push('not notarized: macOS will warn of it (APPLE_API_KEY, APPLE_API_KEY_ID, APPLE_API_ISSUER)');
    }
  }
  if (target.platform === 'win32' && !isSigned && !set('WIN_CSC_LINK')) {
    notes.push('not signed: neither WIN_CSC_LINK nor CSC_LINK is set');
  }
  return { words, notes };
}
