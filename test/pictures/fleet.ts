import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agree } from '../support/agree.ts';
import { profileObject } from '../support/inventory-hub.ts';
import type { Stage } from '../support/stage.ts';
import type { Camera } from './camera.ts';

/** Name, namespace, clusterset, location, version, provider, and whether its control plane is well. */
const profiles = [
  ['payments-eu', 'fleet-prod', 'prod', 'eu-central-1', '1.34.1', 'corp-sso', true],
  ['payments-us', 'fleet-prod', 'prod', 'us-east-1', '1.34.1', 'corp-sso', true],
  ['search-eu', 'fleet-prod', 'prod', 'eu-west-1', '1.33.4', 'corp-sso', true],
  ['ledger', 'fleet-prod', 'prod', 'eu-central-1', '1.33.4', 'corp-sso', false],
  ['payments-eu', 'fleet-staging', 'staging', 'eu-central-1', '1.34.1', 'corp-sso', true],
  ['search-eu', 'fleet-staging', 'staging', 'eu-west-1', '1.34.1', 'corp-sso', true],
  ['notebooks', 'team-data', 'data', 'westeurope', '1.32.9', 'azure', true],
  ['warehouse', 'team-data', 'data', 'us-west-2', '1.33.4', 'eks', true],
] as const;

/** Writes the profiles, and gives back their inventory. */
export function makeFleet(home: string, caPem: string) {
  const folder = join(home, 'fleet');
  mkdirSync(folder, { recursive: true });
  const items = profiles.map(([name, namespace, clusterset, location, kubernetes, provider, isWell]) =>
    profileObject(namespace, name, {
      spec: { clusterManager: { name: 'open-cluster-management' }, displayName: name },
      status: {
        version: { kubernetes },
        properties: [
          { name: 'clusterset.k8s.io', value: clusterset },
          { name: 'location', value: location },
        ],
        conditions: [
          { type: 'Joined', status: 'True', reason: 'Joined', message: '' },
          {
            type: 'ControlPlaneHealthy',
            status: isWell ? 'True' : 'False',
            reason: isWell ? 'Healthy' : 'EtcdUnhealthy',
            message: '',
          },
        ],
        accessProviders: [
          {
            name: provider,
            cluster: {
              server: `https://${name}.${clusterset}.fleet.corp.example`,
              'certificate-authority-data': Buffer.from(caPem).toString('base64'),
            },
          },
        ],
      },
    }),
  );
  writeFileSync(join(folder, 'fleet.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  return {
    files: [folder],
    providers: [
      { name: 'corp-sso', account: 'corp' },
      { name: 'eks', account: 'eks' },
    ],
    servers: ['*.fleet.corp.example'],
    contextName: '{clusterset}-{name}',
  };
}

/** As a person does it at a terminal: shown, and agreed to. */
export async function useSome(stage: Stage): Promise<void> {
  await agree(stage.onTerminal(['inventory', 'use', 'fleet-prod/payments-eu', 'team-data/warehouse']));
}

/** The list, in groups, with one profile and two that are selected. */
export async function takeInventories(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/inventories?group=clusterset', 'fleet-prod/payments-eu');
  for (const name of ['fleet-prod/payments-us', 'fleet-prod/search-eu']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  }
  await page.getByRole('row', { name: 'fleet-prod/payments-eu' }).click();
  await page.getByText('ControlPlaneHealthy').waitFor();
  await camera.take('inventories');
}
