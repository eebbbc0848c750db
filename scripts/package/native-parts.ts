import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Cargo } from '../cargo.ts';
import { type Architecture, readBinaryFormat } from './binary-format.ts';
import { architecturesOf, keysName, proxyName, rustTarget, type Target } from './target.ts';

/** The programs and libraries of one target, each as a file that holds all of the target's architectures. */
export interface NativeParts {
  helper: string;
  /** The request proxy's data plane. */
  proxy: string;
  /** The program that loads a PKCS#11 module. */
  keys: string;
  addon: string;
  /** keytar's. */
  keychain: string;
}

export interface NativePartsDeps {
  root: string;
  /** A folder for what is made on the way. */
  work: string;
  cargo: Pick<Cargo, 'buildHelper' | 'buildAddon' | 'buildDataPlane'>;
  host: { platform: string; architecture: string };
}

/** Builds what is native for a target. Throws where this machine can't, or where the wrong thing came out. */
export function buildNativeParts(target: Target, { root, work, cargo, host }: NativePartsDeps): NativeParts {
  if (target.platform !== host.platform) {
    throw new Error(
      `${target.platform} is packaged on ${target.platform}: our programs, addon and keytar are built there`,
    );
  }
  const built = architecturesOf(target).map((architecture) => {
    const triple = rustTarget(target.platform, architecture);
    const dataPlane = cargo.buildDataPlane(triple);
    return {
      helper: cargo.buildHelper(triple),
      proxy: named(dataPlane, proxyName(target.platform)),
      keys: named(dataPlane, keysName(target.platform)),
      addon: cargo.buildAddon(triple),
      keychain: buildKeytar({ root, work, architecture, host }),
    };
  });
  const whole = (part: keyof NativeParts) => {
    const files = built.map((each) => each[part]);
    return requireFor(target, files.length === 1 && files[0] ? files[0] : joined(files, join(work, part)));
  };
  return {
    helper: whole('helper'),
    proxy: whole('proxy'),
    keys: whole('keys'),
    addon: whole('addon'),
    keychain: whole('keychain'),
  };
}

function named(programs: readonly string[], name: string): string {
  const found = programs.find((program) => basename(program) === name);
  if (found === undefined) throw new Error(`cargo built no ${name}`);
  return found;
}

/** The same file, if it is made for the target. Throws with what it is made for. */
export function requireFor(target: Target, file: string): string {
  const found = readBinaryFormat(readFileSync(file));
  const wanted = architecturesOf(target);
  if (
    found?.platform !== target.platform ||
    found.architectures.length !== wanted.length ||
    !wanted.every((each) => found.architectures.includes(each))
  ) {
    const is = found === null ? 'no program' : `${found.platform} ${found.architectures.join(' and ')}`;
    throw new Error(`${file}: made for ${target.platform} ${wanted.join(' and ')}? it is ${is}`);
  }
  return file;
}

/** @electron/universal leaves alone what holds both already. */
function joined(files: readonly string[], to: string): string {
  mkdirSync(dirname(to), { recursive: true });
  run('lipo', ['-create', ...files, '-output', to], dirname(to));
  return to;
}

/** keytar's library: the installed one for this machine, else built anew from its sources. */
function buildKeytar({
  root,
  work,
  architecture,
  host,
}: Pick<NativePartsDeps, 'root' | 'work' | 'host'> & { architecture: Architecture }): string {
  const installed = join(root, 'node_modules', 'keytar');
  const library = (folder: string) => join(folder, 'build', 'Release', 'keytar.node');
  if (architecture === host.architecture) {
    return library(installed);
  }
  const folder = join(work, `keytar-${architecture}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(installed, folder, {
    recursive: true,
    filter: (path) => !path.startsWith(join(installed, 'build')),
  });
  const nodeGyp = join(root, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
  run(process.execPath, [nodeGyp, 'rebuild', `--arch=${architecture}`], folder);
  return library(folder);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { error, status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error !== undefined || status !== 0) {
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `exit code ${status}`}`);
  }
}
