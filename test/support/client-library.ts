import { join } from 'node:path';
import { buildGo, findGo } from './go.ts';
import type { Running } from './processes.ts';
import { pythonFolder } from './python-folder.ts';
import type { Stage } from './stage.ts';

export const libraries = ['client-go', 'python', 'javascript'] as const;
export type Library = (typeof libraries)[number];

/** What runs the library's program, but for its context; `why`: one line for whoever reads that a test was skipped. */
export type ReadyLibrary = { ok: true; command: string; args: (context: string) => string[] } | NotReady;
type NotReady = { ok: false; why: string };

/** What a client was told (test/support/clients/README.md). */
export interface Listed {
  ok: boolean;
  names?: string[];
  status?: number;
  message?: string;
}

/** A program with one client that lives on. */
export interface LibraryClient {
  readonly running: Running;
  list(): Promise<Listed>;
  /** Lists with a client made anew in the same process. */
  reload(): Promise<Listed>;
}

const programs = join(import.meta.dirname, 'clients');

/** What there is for each library (test/support/clients/README.md). */
export type LibraryProgram = 'list-pods' | 'use-pod';

/** Makes a library's program ready to run. The first time it is fetched or built, which takes up to minutes. */
export async function prepareLibrary(
  library: Library,
  program: LibraryProgram = 'list-pods',
): Promise<ReadyLibrary> {
  switch (library) {
    case 'client-go':
      return prepareGo(program);
    case 'python':
      return preparePython(program);
    case 'javascript':
      return prepareJavaScript(program);
  }
}

async function prepareGo(program: LibraryProgram): Promise<ReadyLibrary> {
  const go = findGo();
  if (!go.ok) {
    return go;
  }
  try {
    const command = await buildGo(go.path, program);
    return { ok: true, command, args: (context) => [context] };
  } catch (error) {
    return notReady('client-go is not to be had', error, /dial tcp|no such host|module lookup disabled/);
  }
}

async function preparePython(program: LibraryProgram): Promise<ReadyLibrary> {
  try {
    const folder = await pythonFolder('python', join(programs, 'requirements.txt'));
    const command = join(folder, 'bin', 'python');
    return {
      ok: true,
      command,
      args: (context) => [join(programs, `${program.replace('-', '_')}.py`), context],
    };
  } catch (error) {
    return notReady('Python, venv, pip or its index is not to be had', error);
  }
}

function prepareJavaScript(program: LibraryProgram): ReadyLibrary {
  try {
    const library = import.meta.resolve('@kubernetes/client-node');
    const script = join(programs, `${program}.mjs`);
    return { ok: true, command: process.execPath, args: (context) => [script, context, library] };
  } catch (error) {
    return notReady('@kubernetes/client-node is not installed', error);
  }
}

/** Only what `expected` tells; anything else is a fault of the program. */
function notReady(what: string, error: unknown, expected = /./): NotReady {
  const message = error instanceof Error ? error.message : String(error);
  if (!expected.test(message)) {
    throw error;
  }
  return { ok: false, why: `${what}: ${message.trim().split('\n').at(-1)}` };
}

/** Starts the program for a context of the kubeconfig. */
export function startLibraryClient(
  stage: Stage,
  { command, args }: ReadyLibrary & { ok: true },
  kubeconfig: string,
  context: string,
): LibraryClient {
  const running = stage.start(command, args(context), { env: { KUBECONFIG: kubeconfig } });
  let asked = 0;
  const tell = async (line: string): Promise<Listed> => {
    running.write(`${line}\n`);
    const index = asked++;
    const answers = () => running.stdout().split('\n').slice(0, -1);
    const answer = await running.waitFor(() => answers()[index] ?? null, `an answer to ${line}`, 60_000);
    return JSON.parse(answer);
  };
  return { running, list: () => tell('list'), reload: () => tell('reload') };
}
