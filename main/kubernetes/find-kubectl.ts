import { devNull } from 'node:os';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { windowsImages } from '../domain/program/windows-program.ts';
import { type FindOptions, type FoundProgram, findProgram } from '../platform/programs/find-program.ts';
import { writersOf } from '../platform/programs/program-facts.ts';
import { type BriefRun, runBriefly } from '../platform/programs/run-briefly.ts';

/** The kubectl that a search path leads to. */
export interface FoundKubectl extends FoundProgram {
  /** What it says of itself; null where it could not be asked: `fault` says why. */
  version: { major: number; minor: number } | null;
  /** It picks another kubectl by the server's version, as Google Cloud's does. */
  dispatcher: boolean;
  /** It knows `client.authentication.k8s.io/v1` (1.22 and later); true where it doesn't tell its version. */
  knowsV1: boolean;
  /** Why there is no version. `othersCanReplace`: it was not run, since another user could have written it. */
  fault: 'othersCanReplace' | 'timedOut' | 'failed' | 'strangeAnswer' | null;
}

export interface FindKubectlOptions extends FindOptions {
  /** 3 s without it. */
  limitMilliseconds?: number;
  signal?: AbortSignal;
}

/** The first release that knows `client.authentication.k8s.io/v1`. */
const firstWithV1 = 22;

const answer = z.object({
  clientVersion: z.object({
    major: z.string().regex(/^\d{1,4}$/),
    minor: z.string().regex(/^\d{1,4}\+?$/),
    gitVersion: z.string().max(200).optional(),
  }),
});

/**
 * Finds kubectl on `searchPath` (the text of the caller's PATH), and asks it for its version, in an environment that
 * leads it to no kubeconfig and no server. Null where there is none. Never throws.
 */
export async function findKubectl(
  searchPath: string,
  options: FindKubectlOptions = {},
): Promise<FoundKubectl | null> {
  // Node starts no batch file without a shell (CVE-2024-27980).
  const found = await findProgram('kubectl', searchPath, { ...options, windowsNames: windowsImages });
  if (found === null) {
    return null;
  }
  const unknown = { ...found, version: null, dispatcher: false, knowsV1: true };
  if (((await writersOf(found.path, options))?.length ?? 0) > 0) {
    return { ...unknown, fault: 'othersCanReplace' };
  }
  const ran = await runBriefly(found.path, ['version', '--client', '-o', 'json'], {
    environment: bareEnvironment(),
    limitMilliseconds: options.limitMilliseconds ?? 3_000,
    signal: options.signal,
  });
  if (!ran.ok) {
    return { ...unknown, fault: faultOf(ran) };
  }
  const said = parseAnswer(ran.stdout);
  if (said === null) {
    return { ...unknown, fault: 'strangeAnswer' };
  }
  const { major, minor } = said.version;
  return { ...found, ...said, knowsV1: major > 1 || minor >= firstWithV1, fault: null };
}

/** No HOME and no kubeconfig; a search path for those that are a script. */
function bareEnvironment(): Record<string, string> {
  const systemRoot = process.env['SystemRoot'];
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    KUBECONFIG: devNull,
    KUBERC: 'off',
    ...(systemRoot !== undefined && { SystemRoot: systemRoot }),
  };
}

function faultOf({ reason }: Extract<BriefRun, { ok: false }>): FoundKubectl['fault'] {
  switch (reason) {
    case 'timedOut':
      return 'timedOut';
    case 'tooLarge':
      return 'strangeAnswer';
    default:
      return 'failed';
  }
}

function parseAnswer(
  text: string,
): (Pick<FoundKubectl, 'dispatcher'> & { version: { major: number; minor: number } }) | null {
  const parsed = answer.safeParse(parseJson(text));
  if (!parsed.success) {
    return null;
  }
  const { major, minor, gitVersion = '' } = parsed.data.clientVersion;
  return {
    version: { major: Number(major), minor: Number.parseInt(minor, 10) },
    dispatcher: gitVersion.includes('dispatcher'),
  };
}
