import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchKeycloak } from './launch.ts';

/** Pinned: its answers are what the tests are held to. */
const version = '26.4.5';
const sha256 = '72f73642a2c36de797d51b4b2b342d4a49f6e5832af10aa470cd123627bd80b3';
const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:zip`;
const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const minimumJava = 17;

const cache = join(import.meta.dirname, '..', '..', '..', '.cache', 'keycloak');
const limitMilliseconds = 300_000;

/** A Keycloak that is built, with a database that holds its admin; both are only read from then on. */
export interface Distribution {
  ok: true;
  folder: string;
  /** Copied for each server: making it anew takes longer than all else of a start. */
  database: string;
  adminPassword: string;
}

/** `why`: one line for whoever reads that a test was skipped. */
export type Prepared = Distribution | { ok: false; why: string };

/**
 * Keycloak's own distribution, from Maven's repository; kept from one run to the next. The first time it is fetched,
 * built and started once, which takes three minutes on two busy cores. Rejects where it is fetched and then doesn't work.
 */
export async function prepareKeycloak(): Promise<Prepared> {
  const missing = missingProgram();
  if (missing !== null) {
    return { ok: false, why: missing };
  }
  const folder = join(cache, version);
  if (!existsSync(folder)) {
    const fetched = await fetchZip();
    if (!fetched.ok) {
      return fetched;
    }
    const made = await make(fetched.zip);
    try {
      renameSync(made, folder);
    } catch (error) {
      // Another process has made it meanwhile: its is as good.
      rmSync(made, { recursive: true, force: true });
      if (!existsSync(folder)) {
        throw error;
      }
    }
  }
  return {
    ok: true,
    folder,
    database: join(folder, 'prepared', 'keycloak.mv.db'),
    adminPassword: readFileSync(join(folder, 'prepared', 'admin-password'), 'utf8'),
  };
}

function missingProgram(): string | null {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const found = /version "(\d+)/.exec(java.stderr ?? '')?.[1];
  if (found === undefined) {
    return `Keycloak needs Java ${minimumJava} or newer, and there is none`;
  }
  if (Number(found) < minimumJava) {
    return `Keycloak needs Java ${minimumJava} or newer, and this is ${found}`;
  }
  return spawnSync('mvn', ['-v']).status === 0
    ? null
    : 'Keycloak is fetched by Maven (mvn), and there is none';
}

async function fetchZip(): Promise<{ ok: true; zip: string } | { ok: false; why: string }> {
  const folder = join(cache, `download-${process.pid}`);
  const zip = join(folder, 'keycloak.zip');
  try {
    // In batch mode, strict about checksums; which repository is for Maven's own settings to say.
    await promisify(execFile)(
      'mvn',
      ['-B', '-q', '-C', `${dependencyPlugin}:copy`, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
      { cwd: import.meta.dirname, timeout: limitMilliseconds },
    );
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    const said = stdout.split('\n').find((line) => line.startsWith('[ERROR]')) ?? message;
    return { ok: false, why: `Maven can’t fetch ${artifact}: ${said.slice(0, 200)}` };
  }
  renameSync(join(folder, `keycloak-quarkus-dist-${version}.zip`), zip);
  const digest = createHash('sha256').update(readFileSync(zip)).digest('hex');
  if (digest !== sha256) {
    throw new Error(`${artifact} has the SHA-256 ${digest}, not ${sha256}`);
  }
  return { ok: true, zip };
}

/** Unpacks, builds and starts it once; gives the folder, which has no name yet that others look for. */
async function make(zip: string): Promise<string> {
  const work = join(cache, `partial-${process.pid}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const run = (program: string, args: string[]) =>
    promisify(execFile)(program, args, { timeout: limitMilliseconds });
  await run('python3', ['-m', 'zipfile', '-e', zip, work]);
  rmSync(join(zip, '..'), { recursive: true, force: true });
  const folder = join(work, `keycloak-${version}`);
  await run('sh', [
    join(folder, 'bin', 'kc.sh'),
    'build',
    '--db=dev-file',
    '--health-enabled=false',
    '--metrics-enabled=false',
    '--https-client-auth=request',
  ]);
  const prepared = join(folder, 'prepared');
  mkdirSync(prepared, { mode: 0o700 });
  const adminPassword = randomBytes(16).toString('hex');
  writeFileSync(join(prepared, 'admin-password'), adminPassword, { mode: 0o600 });
  const server = await launchKeycloak({
    folder,
    database: join(prepared, 'keycloak'),
    bootstrap: adminPassword,
    options: ['--http-enabled=true', '--http-host=127.0.0.1', '--http-port=0'],
  });
  await server.stop();
  const done = join(cache, `made-${process.pid}`);
  renameSync(folder, done);
  rmSync(work, { recursive: true, force: true });
  return done;
}
