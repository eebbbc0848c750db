import { execFileSync, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/**
 * `node scripts/limited.ts SECONDS COMMAND [ARGUMENT…]` runs the command and exits with its code. One that takes longer is
 * ended with all that it started, also what has left its process group; the exit code is then 124, as timeout(1)’s.
 */
const timedOut = 124;

interface Process {
  pid: number;
  parent: number;
  name: string;
}

/** All processes of this machine. */
function processes(): Process[] {
  // Of the command line the program alone: arguments may be secrets.
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, name] = /^\s*(\d+)\s+(\d+)\s+(?:\S*\/)?(\S+)/.exec(line) ?? [];
      return name === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), name }];
    });
}

/** That one, and all that it and they have started; not those whose parent has ended. */
export function treeOf(root: number, all: readonly Process[]): Process[] {
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid } of found) {
    found.push(...all.filter(({ parent }) => parent === pid));
  }
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Kills a process and all below it, and gives them. Each is stopped first: one that goes on would start others meanwhile. */
export function endTree(root: number): Process[] {
  const stopped = new Map<number, Process>();
  for (;;) {
    const more = treeOf(root, processes()).filter(({ pid }) => !stopped.has(pid));
    if (more.length === 0) {
      break;
    }
    for (const each of more) {
      stopped.set(each.pid, each);
      signal(each.pid, 'SIGSTOP');
    }
  }
  for (const pid of stopped.keys()) {
    signal(pid, 'SIGKILL');
  }
  return [...stopped.values()];
}

function main([seconds = '', command = '', ...args]: readonly string[]): void {
  const child = spawn(command, args, { stdio: 'inherit' });
  const pid = child.pid ?? 0;
  const limit = setTimeout(() => {
    const names = endTree(pid).map(({ name }) => name);
    console.error(`${command} took longer than ${seconds} s: ended with ${[...new Set(names)].join(', ')}`);
    process.exit(timedOut);
  }, Number(seconds) * 1000);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      endTree(pid);
      process.exit(130);
    });
  }
  child.once('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`);
    process.exit(127);
  });
  child.once('exit', (code) => {
    clearTimeout(limit);
    process.exit(code ?? 1);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2));
}
