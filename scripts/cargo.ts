import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Static and at a fixed address: the loader's work is half of a short process's life. Elsewhere it has no meaning. */
const staticFlags = ['-Ctarget-feature=+crt-static', '-Crelocation-model=static'];

/** Windows comes without Visual C++’s runtime: it is built in. And calls lead only to where functions begin. */
const msvcFlags = ['-Ctarget-feature=+crt-static', '-Ccontrol-flow-guard'];

/** Where cargo unpacks crates. */
export function cargoHome(env: NodeJS.ProcessEnv): string {
  return env['CARGO_HOME'] ?? join(homedir(), '.cargo');
}

/** The profile of native-helper/Cargo.toml, and the folder that cargo names after it. */
const dataPlane = 'data-plane';

/** What is read of `cargo metadata`. */
interface CargoPackage {
  name: string;
  targets: { name: string; kind: string[] }[];
  metadata: { lanyard?: { profile?: string } } | null;
}

/** Rust's tools on the workspace of helper and addon. Each throws with what went wrong; cargo decides what is stale. */
export interface Cargo {
  /** Rust's name of this machine. */
  hostTarget(): string;
  /** Builds the helper; answers with the program's path. */
  buildHelper(target: string): string;
  /** Builds the addon; answers with the library's path. */
  buildAddon(target: string): string;
  /** Builds every crate that asks for the data plane's profile (native-helper/Cargo.toml); the programs' paths. */
  buildDataPlane(target: string): string[];
  /** Builds an example of such a crate; its path. */
  buildDataPlaneExample(target: string, crate: string, example: string): string;
  /** `cargo metadata` for a target, as it prints it. */
  metadata(target: string): string;
}

export function createCargo(root: string): Cargo {
  const workspace = join(root, 'native-helper');
  const folder = join(workspace, 'target');
  const build = ['build', '--locked', '--quiet'];

  const run = (command: string, args: string[], environment: NodeJS.ProcessEnv = {}): string => {
    const result = spawnSync(command, args, {
      cwd: workspace,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (result.error !== undefined || result.status !== 0) {
      const why = result.error === undefined ? `exit code ${result.status}` : result.error.message;
      throw new Error(`${command} ${args.join(' ')}: ${why}`);
    }
    return result.stdout;
  };

  // A panic's message names its source file. The same sources have to give the same program, wherever they lie; and a
  // program says nothing of who built it.
  const remapped = [
    `--remap-path-prefix=${cargoHome(process.env)}=/cargo`,
    `--remap-path-prefix=${workspace}=/lanyard`,
  ];
  const flags = (target: string, ...more: string[]) => ({
    CARGO_TARGET_DIR: folder,
    // Before RUSTFLAGS, and with a separator that no path has.
    CARGO_ENCODED_RUSTFLAGS: [...remapped, ...(target.endsWith('-msvc') ? msvcFlags : []), ...more].join(
      '\x1f',
    ),
  });

  const hostTarget = () => {
    const host = /^host: (.+)$/m.exec(run('rustc', ['-vV']))?.[1];
    if (host === undefined) throw new Error('rustc -vV names no host');
    return host;
  };

  return {
    hostTarget,
    buildHelper(target) {
      // With --target the flags reach the helper and its parts only, not build scripts.
      run(
        'cargo',
        [...build, '--release', '-p', 'lanyard-helper', '--bin', 'lanyard', '--target', target],
        flags(target, ...(target.includes('-linux-') ? staticFlags : [])),
      );
      return join(folder, target, 'release', target.includes('-windows-') ? 'lanyard.exe' : 'lanyard');
    },
    buildAddon(target) {
      // It has to stay a shared library: without the helper's flags, and in a folder apart from its parts.
      const isHost = target === hostTarget();
      run(
        'cargo',
        [...build, '--release', '-p', 'lanyard-native', ...(isHost ? [] : ['--target', target])],
        flags(target),
      );
      return join(folder, ...(isHost ? [] : [target]), 'release', libraryName(target));
    },
    buildDataPlane(target) {
      const listed = run('cargo', ['metadata', '--format-version', '1', '--locked', '--no-deps']);
      const { packages } = JSON.parse(listed) as { packages: CargoPackage[] };
      const asking = packages.filter(({ metadata }) => metadata?.lanyard?.profile === dataPlane);
      const suffix = target.includes('-windows-') ? '.exe' : '';
      return asking.flatMap(({ name, targets }) => {
        // At an address that chance chooses, unlike the helper: it lives long, and hears from the network. And not
        // static: it resolves names, which glibc does by libraries of the system that runs it (nsswitch.conf(5)).
        run(
          'cargo',
          [...build, '--profile', dataPlane, '-p', name, '--bins', '--target', target],
          flags(target),
        );
        return targets
          .filter(({ kind }) => kind.includes('bin'))
          .map((program) => join(folder, target, dataPlane, `${program.name}${suffix}`));
      });
    },
    buildDataPlaneExample(target, crate, example) {
      const what = ['--profile', dataPlane, '-p', crate, '--example', example, '--target', target];
      run('cargo', [...build, ...what], { CARGO_TARGET_DIR: folder, RUSTFLAGS: '' });
      return join(
        folder,
        target,
        dataPlane,
        'examples',
        `${example}${target.includes('-windows-') ? '.exe' : ''}`,
      );
    },
    metadata: (target) =>
      run('cargo', ['metadata', '--format-version', '1', '--locked', '--filter-platform', target]),
  };
}

function libraryName(target: string): string {
  if (target.includes('-windows-')) return 'lanyard_native.dll';
  return target.includes('-apple-') ? 'liblanyard_native.dylib' : 'liblanyard_native.so';
}
