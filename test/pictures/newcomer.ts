import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fifteenContexts, placeAws } from '../support/fifteen-contexts.ts';
import { baseEnvironment } from '../support/processes.ts';
import { Stage } from '../support/stage.ts';
import type { Camera } from './camera.ts';
import type { Person } from './person.ts';

/** A broker that knows nothing yet, and somebody's kubeconfig of 15 contexts. */
export async function openNewcomer(person: Person): Promise<Stage> {
  const programs = join(person.home, '.local', 'bin');
  placeAws(programs);
  return Stage.open({
    provider: { origin: 'https://id.corp.example' },
    agent: { env: { HOME: person.home, PATH: `${programs}:${baseEnvironment()['PATH']}` } },
    extend: async (config, own) => {
      config.accounts = {};
      config.clusters = {};
      const folder = join(person.home, '.kube');
      mkdirSync(folder, { mode: 0o700 });
      const server = 'https://prod-eu.k8s.corp.example:6443';
      const contexts = await fifteenContexts(own, { home: person.home, server });
      writeFileSync(join(folder, 'config'), JSON.stringify(contexts, null, 2), { mode: 0o600 });
    },
  });
}

/** The invitation, and the plan of an import. */
export async function takeFirstSteps(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/clusters', /plain text/);
  await camera.take('start');
  await camera.go('#/import', /kubectl|users|clusters/);
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  await camera.take('import');
}
