import { buildGo, downloadGo, findGo, installGo } from './go.ts';

/** Programs of others that use a cluster, at exactly these versions. */
const helmVersion = 'v3.22.0';
const k9sVersion = 'v0.50.9';

/** `why`: one line for whoever reads that a test was skipped. */
export type FoundProgram = { ok: true; path: string } | { ok: false; why: string };

/** Built through the Go module proxy the first time (2 min). */
export function findHelm(): Promise<FoundProgram> {
  return found('helm', (go) => installGo(go, 'helm.sh/helm/v3/cmd/helm', helmVersion));
}

/** The same (8 min). Not by `go install`, which wants a list of all its versions: the module proxy has none. */
export function findK9s(): Promise<FoundProgram> {
  return found('k9s', async (go) => {
    const module = await downloadGo(go, `github.com/derailed/k9s@${k9sVersion}`);
    return buildGo(go, 'k9s', { module, program: '.' });
  });
}

async function found(name: string, build: (go: string) => Promise<string>): Promise<FoundProgram> {
  const go = findGo();
  if (!go.ok) {
    return go;
  }
  try {
    return { ok: true, path: await build(go.path) };
  } catch (error) {
    return { ok: false, why: `${name} was not built: ${String((error as Error).message).slice(0, 400)}` };
  }
}
