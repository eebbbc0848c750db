import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { agree } from '../agree.ts';
import { v1 } from '../exec-answers/seeds.ts';
import { findKubectls, type Kubectl } from '../kubectl.ts';
import { Stage } from '../stage.ts';
import type { ExecRow } from './rows.ts';

/** What came of one kubectl. */
export interface RowResult {
  code: number | null;
  /** Whom the API server saw; null: nobody, or it saw no request. */
  user: string | null;
  /** What client-go, or Lanyard in its words, says is wrong. */
  message: string | null;
  stderr: string;
}

export interface RowBench {
  kubectl: Kubectl;
  /** The same row by kubectl alone. */
  alone(row: ExecRow): Promise<RowResult>;
  /** And with the kubeconfig that an import made. */
  through(row: ExecRow): Promise<RowResult>;
  dispose(): Promise<void>;
}

const good = JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status: { token: 'abc' } });

/** Puts all rows into one kubeconfig, and imports it as a person does. */
export async function openRowBench(rows: readonly ExecRow[]): Promise<RowBench> {
  const stage = await Stage.open({
    tokens: { abc: { name: 'abc', groups: [] }, def: { name: 'def', groups: [] } },
    extend: (config) => {
      config.accounts = {};
      config.clusters = {};
    },
  });
  const folder = join(stage.home.outside, 'rows');
  mkdirSync(folder);
  const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  put(join(bin, 'row-plugin'), scriptOf('answer'));
  put(join(bin, 'row-plugin-unrunnable'), scriptOf('answer'), 0o644);
  const names = new Map(rows.map((row, index) => [row, `row-${index}`]));
  const nameOf = (row: ExecRow) => names.get(row) ?? '';
  const file = join(folder, 'kube-config');
  const users = rows.map((row) => ({ name: nameOf(row), user: { exec: execOf(row, folder, nameOf(row)) } }));
  const cluster = {
    server: stage.api.server,
    'certificate-authority-data': Buffer.from(stage.api.caPem).toString('base64'),
  };
  writeFileSync(
    file,
    JSON.stringify({
      clusters: [{ name: 'c', cluster }],
      users,
      contexts: users.map(({ name }) => ({ name, context: { cluster: 'c', user: name } })),
    }),
    { mode: 0o600 },
  );
  const kubectl = findKubectls().newest;
  const get = async (kubeconfig: string, row: ExecRow): Promise<RowResult> => {
    stage.api.forgetRequests();
    const done = await stage.kubectl(
      kubectl,
      kubeconfig,
      ['--context', nameOf(row), 'get', '--raw', '/api'],
      {
        env: { PATH: path },
      },
    );
    const user = stage.api.requests.find((request) => request.user !== null)?.user ?? null;
    return { code: done.code, user, message: messageIn(done.stderr), stderr: done.stderr };
  };
  let isImported = false;
  return {
    kubectl,
    alone: (row) => get(file, row),
    async through(row) {
      if (!isImported) {
        const done = await agree(stage.onTerminal(['kubeconfig', 'import', file], { PATH: path }));
        if (done.code !== 0) {
          throw new Error(done.shown);
        }
        isImported = true;
      }
      return get(stage.home.file('kubeconfig'), row);
    },
    dispose: () => stage.dispose(),
  };
}

function execOf(row: ExecRow, folder: string, name: string): Record<string, unknown> {
  const own = join(folder, name);
  mkdirSync(own);
  const plugin = join(own, 'plugin');
  if (row.stdout !== undefined) {
    writeFileSync(join(own, 'stdout'), row.stdout);
    put(plugin, `#!/bin/sh\nexec cat ${join(own, 'stdout')}\n`);
  } else {
    put(plugin, row.file?.text ?? scriptOf(row.script ?? 'exit 99'), row.file?.mode);
  }
  put(join(own, 'my plugin'), scriptOf('answer'));
  symlinkSync(plugin, join(own, 'link'));
  symlinkSync(join(own, 'nothing'), join(own, 'broken'));
  const filled = (value: unknown) =>
    typeof value === 'string'
      ? value.replaceAll('@NAME', name).replaceAll('@PARENT', basename(folder)).replaceAll('@', own)
      : value;
  const given = Object.entries(row.exec ?? {}).map(([key, value]) => [key, filled(value)]);
  return { apiVersion: v1, interactiveMode: 'Never', command: plugin, ...Object.fromEntries(given) };
}

function scriptOf(line: string): string {
  return `#!/bin/sh\nanswer() { printf '%s' '${good}'; }\n${line}\n`;
}

function put(path: string, text: string, mode = 0o755): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** The first line of what went wrong. Lanyard’s own is what its helper wrote. */
function messageIn(stderr: string): string | null {
  const own = /^lanyard: (.*)$/m.exec(stderr)?.[1];
  const theirs = /getting credentials: (.*?)"?$/m.exec(stderr)?.[1];
  return own ?? theirs?.replaceAll('\\"', '"') ?? null;
}
