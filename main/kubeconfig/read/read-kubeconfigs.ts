import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GivenText, KubeconfigSource } from '../../domain/import/given-text.ts';
import type { KubeconfigFile, KubeconfigProblem, MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { kubeconfigLimitBytes, type ReadFile, readKubeconfigFile } from './kubeconfig-file.ts';
import { mergeKubeconfigs, type ParsedFile, separateKubeconfigs } from './merge-kubeconfigs.ts';
import { readNamedFiles } from './named-files.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { clusterWithFiles, pathsOf, userWithFiles } from './with-files.ts';

export interface ReadKubeconfigsOptions {
  /** Ends the reading between two files, with the signal's reason. */
  signal?: AbortSignal;
  /** The user named the files one by one: each is read on its own, and none hides an entry of another. */
  apart?: boolean;
  /** Bytes a kubeconfig may have; 64 MiB unless told otherwise. */
  limitBytes?: number;
  /** What is read for a page: of all files together, and of each that is in a layout that takes long (`parseYamlTree`). */
  page?: { togetherBytes: number; parts: number };
}

/**
 * Reads kubeconfigs, in order of precedence, and merges them as client-go does, or keeps them apart, with the files that
 * their entries name (not of hidden clusters). Unlike kubectl, which then fails as a whole, it leaves out a file with an error and reads
 * the others, and reports data that isn’t base64 at its entry. Throws only when the signal aborts.
 */
export async function readKubeconfigs(
  sources: readonly KubeconfigSource[],
  options: ReadKubeconfigsOptions = {},
): Promise<MergedKubeconfig> {
  const files: KubeconfigFile[] = [];
  const problems: KubeconfigProblem[] = [];
  const parsed: ParsedFile[] = [];
  const targets = new Map<string, string>();
  let left = options.page?.togetherBytes ?? Number.POSITIVE_INFINITY;
  for (const source of new Set(sources.map((each) => (typeof each === 'string' ? resolve(each) : each)))) {
    options.signal?.throwIfAborted();
    const limitBytes = Math.min(options.limitBytes ?? kubeconfigLimitBytes, left);
    const { file, problem } =
      typeof source === 'string'
        ? await readKubeconfigFile(source, limitBytes)
        : readGiven(source, limitBytes);
    const { path } = file;
    const earlier = targets.get(file.target);
    if (earlier !== undefined && file.text !== null) {
      // Its entries would hide themselves, and an edit would meet itself.
      const message = `the same file as ${earlier}; it is read once`;
      problems.push({ severity: 'warning', file: path, line: null, column: null, message });
      continue;
    }
    targets.set(file.target, path);
    files.push(file);
    if (problem) {
      problems.push(problem);
    }
    if (file.text !== null) {
      left -= Buffer.byteLength(file.text);
      await nextTurn();
      const result = parseKubeconfig(file.text, path, options.page?.parts);
      problems.push(...result.problems);
      if (result.kubeconfig) {
        parsed.push({ path, kubeconfig: result.kubeconfig });
      }
    }
  }
  const merged = options.apart ? separateKubeconfigs(parsed) : mergeKubeconfigs(parsed);
  const hiddenUsers = merged.hidden.flatMap((entry) => (entry.what === 'user' ? [entry.user] : []));
  const entries = [...merged.clusters.values(), ...merged.users.values(), ...hiddenUsers];
  const contents = await readNamedFiles(entries.flatMap(pathsOf), options.signal);
  return {
    files,
    problems,
    currentContext: merged.currentContext,
    clusters: mapValues(merged.clusters, (cluster) => clusterWithFiles(cluster, contents)),
    contexts: merged.contexts,
    users: mapValues(merged.users, (user) => userWithFiles(user, contents)),
    hidden: merged.hidden.map((entry) =>
      entry.what === 'user' ? { ...entry, user: userWithFiles(entry.user, contents) } : entry,
    ),
  };
}

/** A text that was given, as its file would have been read. */
function readGiven({ name, text }: GivenText, limitBytes: number): ReadFile {
  const content = text.reveal();
  const file = { path: name, target: name, mode: null };
  return Buffer.byteLength(content) > limitBytes
    ? {
        file: { ...file, text: null },
        problem: {
          severity: 'error',
          file: name,
          line: null,
          column: null,
          message: `is larger than ${limitBytes} bytes`,
        },
      }
    : { file: { ...file, text: content }, problem: null };
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([name, value]) => [name, change(value)]));
}
