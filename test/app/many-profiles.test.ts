import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DesktopStage, openDesktopStage } from '../support/electron/desktop-stage.ts';
import { isLong } from '../support/long.ts';
import { until } from '../support/stage.ts';

/**
 * All changes of an inventory are one notification, one window and one question (rule: confirmed-binding). There are a
 * thousand in the long form.
 */

const count = isLong ? 1_000 : 100;
/** These deserve a second look. */
const elsewhere = 'c-0007';
const proxied = 'c-0050';
const names = Array.from({ length: count }, (_, index) => `c-${String(index).padStart(4, '0')}`);

let on: DesktopStage;
let file: string;

function profilesText(clusterOf: (name: string) => object): string {
  return names
    .map((name) =>
      JSON.stringify({
        apiVersion: 'multicluster.x-k8s.io/v1alpha1',
        kind: 'ClusterProfile',
        metadata: { namespace: 'team', name, uid: `uid-${name}`, labels: { tier: 'auto' } },
        spec: { clusterManager: { name: 'manager' } },
        status: { accessProviders: [{ name: 'robots', cluster: clusterOf(name) }] },
      }),
    )
    .join('\n---\n');
}

beforeAll(async () => {
  on = await openDesktopStage({
    extend(config, { home }) {
      file = home.write(
        'fleet.yaml',
        profilesText((name) => ({ server: `https://${name}.example.com` })),
      );
      config.inventories = {
        fleet: {
          files: [file],
          providers: [{ name: 'robots', account: 'bot' }],
          servers: ['*.example.com'],
          contexts: count,
        },
      };
    },
  });
  await on.stage.setSecrets();
  await until(async () => {
    const { stderr } = await on.stage.lanyard(['inventory', 'list']);
    return stderr.includes('live') ? true : null;
  }, 'the inventory');
});
afterAll(() => on?.dispose());

const pending = async () => {
  const { stdout } = await on.stage.lanyard(['status', '--json']);
  return (JSON.parse(stdout) as { held: { inventory?: string }[] }).held.length;
};
const change = async () => {
  writeFileSync(
    file,
    profilesText((name) => ({
      server: name === elsewhere ? 'https://evil.example.net' : `https://new-${name}.example.com`,
      ...(name === proxied && { 'proxy-url': 'http://proxy.example.com:3128' }),
    })),
  );
  await until(async () => ((await pending()) === count ? true : null), 'the pending changes');
};

it('new clusters are one question at the terminal', async () => {
  const terminal = on.stage.onTerminal(['inventory', 'use', '--selector', 'tier=auto']);
  await terminal.waitForText(new RegExp(`Use these ${count} clusters\\? \\[y/N\\]`));
  terminal.send('y\r');
  await terminal.ended;
  const shown = terminal.shown();
  expect(shown.match(/\[y\/N\]/g)).toHaveLength(1);
  expect(shown).toContain(`${count} clusters of fleet (new)`);
  expect(await pending()).toBe(0);
});

it('their changes are one notification, one line of the tray and one window', async () => {
  const desktop = on.desktop();
  const before = (await desktop.notifications()).length;
  await change();
  const { title } = await desktop.notification(/fleet/);
  expect(title).toBe(`${count} clusters of fleet are new or were changed`);
  expect((await desktop.notifications()).slice(before)).toHaveLength(1);
  expect((await desktop.tray()).menu.filter((line) => /[Aa]pprove/.test(line))).toEqual([
    'Approve 1 change…',
  ]);
  const status = await on.stage.lanyard(['status']);
  expect(status.stdout + status.stderr).toContain(`pending approval: ${count} clusters of fleet`);

  await desktop.clickNotification(title);
  const { html, text, press } = await desktop.dialog();
  expect(await desktop.dialogs()).toBe(1);
  expect(text).toContain('2 need a closer look, shown first.');
  const boxes = [...html.matchAll(/<input type="checkbox" name="([^"]+)"( checked)?>([^<]*)/g)];
  expect(boxes.map(([, , checked, label]) => [label, checked !== undefined])).toEqual([
    [`cluster ${elsewhere} (changed)`, false],
    [`cluster ${proxied} (changed)`, false],
    [`${count - 2} clusters of fleet (changed)`, true],
  ]);
  const checked = boxes.filter(([, , isChecked]) => isChecked);
  const ended = await press('yes', Object.fromEntries(checked.map(([, name = '']) => [name, 'on'])));
  expect(ended).toContain(`${count - 2} changed clusters`);
  expect(await pending()).toBe(2);
  const kubeconfig = await until(() => {
    const written = readFileSync(join(on.stage.home.path, 'kubeconfig'), 'utf8');
    return written.includes('https://new-c-0001.example.com') ? written : null;
  }, 'the kubeconfig');
  expect(kubeconfig).not.toContain('evil.example.net');
  expect(kubeconfig).toContain(`https://${elsewhere}.example.com`);
});
