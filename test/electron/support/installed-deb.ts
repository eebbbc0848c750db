import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ended, run, start } from '../../support/processes.ts';
import { mustBeGood } from '../../support/stage.ts';

/** A package that dpkg installed, with its scripts and triggers, in a copy-on-write view of this system. */
export interface InstalledDeb {
  /** The words before a command that the ordinary user runs there. */
  readonly inside: readonly string[];
  /** dpkg, as root there. */
  dpkg(...words: string[]): Promise<Ended>;
  /** What was changed there and has that word, in lower case, in its path or text. */
  traces(word: string): string[];
  dispose(): Promise<void>;
}

/** Of `unshare`: opens the view. */
const view = ['--user', '--map-root-user', '--mount', 'sh', join(import.meta.dirname, 'system-view.sh')];
/** What dpkg and a package's scripts write to. */
const trees = ['usr', 'opt', 'etc', 'var'];
const dpkgFolders = ['info', 'triggers', 'updates'].map((name) => `var/lib/dpkg/${name}`);
const dpkgFiles = [
  'var/lib/dpkg/lock',
  'var/lib/dpkg/lock-frontend',
  'var/lib/dpkg/triggers/Lock',
  'var/log/dpkg.log',
];

/** Why a package can't be installed so; null: it can. */
export function whyNoDeb(): string | null {
  const folder = newFolder();
  try {
    const { status } = spawnSync('unshare', [...view, folder], { input: '' });
    return status === 0 ? null : 'this system gives an ordinary user no overlay of its folders';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function installDeb(deb: string): Promise<InstalledDeb> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.adopt(newFolder(), (each) => rmSync(each, { recursive: true, force: true }));
  const changed = join(folder, 'changed');
  // What is written to has to be the user's there: the system's root is not the view's.
  const { stdout } = spawnSync('dpkg-deb', ['--contents', deb], { encoding: 'utf8' });
  const packaged = [...stdout.matchAll(/^d.* \.\/(.+)\/$/gm)].map(([, name = '']) => name);
  for (const name of [...packaged, ...dpkgFolders, 'etc/apparmor.d']) {
    if (existsSync(join('/', name))) {
      mkdirSync(join(changed, name), { recursive: true });
    }
  }
  for (const name of dpkgFiles) {
    mkdirSync(dirname(join(changed, name)), { recursive: true });
    writeFileSync(join(changed, name), '');
  }
  copyFileSync('/var/lib/dpkg/status', join(changed, 'var/lib/dpkg/status'));

  const { pid, waitForLine } = stack.adopt(start('unshare', [...view, folder]), (each) => each.dispose());
  await waitForLine(/^ready$/);
  const enter = [`--target=${pid}`, '--user', '--preserve-credentials', '--mount'];
  const dpkg = (...words: string[]) => run('nsenter', [...enter, 'dpkg', ...words]);
  mustBeGood(await dpkg('--install', deb));
  const kept = stack.move();
  return {
    inside: [
      ...['nsenter', ...enter],
      ...['unshare', '--user', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`],
    ],
    dpkg,
    traces: (word) =>
      readdirSync(changed, { recursive: true, encoding: 'utf8' }).filter((name) => {
        const file = join(changed, name);
        return (
          name.toLowerCase().includes(word) ||
          (lstatSync(file).isFile() && readFileSync(file, 'latin1').toLowerCase().includes(word))
        );
      }),
    dispose: () => kept.disposeAsync(),
  };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ly-view-'));
  for (const name of trees) {
    mkdirSync(join(folder, 'changed', name), { recursive: true });
  }
  return folder;
}
