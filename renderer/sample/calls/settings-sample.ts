import { defaultSettings, type Settings } from '../../../main/contract/config/settings.ts';
import type { FindingView } from '../../../main/contract/ui/calls/settings.ts';
import type { SomeHandlers } from '../sample-calls.ts';
import { hold } from '../sample-pending.ts';
import type { SampleWorld } from '../sample-world.ts';

const home = '/home/dev/.local/share/lanyard';

export const settingsSample = {
  'settings.read': (_, { world }) => ({
    settings: settingsOf(world),
    held: world
      .list('held')
      .filter(({ what }) => what === 'setting')
      .map(({ name }) => name),
    paths: [
      { what: 'Settings', path: '/home/dev/.config/lanyard/config.yaml' },
      { what: 'Vault', path: `${home}/vault` },
      { what: 'History', path: `${home}/history.db` },
      { what: 'Managed kubeconfig', path: `${home}/kubeconfig` },
      { what: 'Program', path: `${home}/bin/lanyard` },
    ],
    proxies: [{ variable: 'HTTPS_PROXY', value: 'proxy.corp.example:3128' }],
    authorities: 152,
    versions: [
      { what: 'Lanyard', version: world.get('broker', '')?.version ?? '' },
      { what: 'Node.js', version: '24.4.1' },
    ],
    canOpenBrowser: true,
  }),
  'settings.set': ({ name, value }, { world }) => {
    const before = settingsOf(world);
    const next = name === 'appearance' ? { ...before.appearance, ...value } : value;
    const settings = { ...before, [name]: next } as Settings;
    settingsBox(world).value = settings;
    if (name === 'appearance' || name === 'notifications' || name === 'updates') {
      const { appearance, notifications, updates } = settings;
      world.patch('appearance', '', { theme: appearance.theme, notifications, updates });
      return { held: false, asks: false };
    }
    hold(
      world,
      { what: 'setting', name, change: 'it changes' },
      Object.entries(value).map(([key, each]) => `+ ${key}: ${String(each)}`),
      () => undefined,
    );
    return { held: true, asks: false };
  },
  'settings.dismissWarning': ({ message, dismissed }, { world }) => {
    const others = (world.get('appearance', '')?.dismissedWarnings ?? []).filter((each) => each !== message);
    world.patch('appearance', '', { dismissedWarnings: dismissed ? [...others, message] : others });
    return {};
  },
  'doctor.run': async (_, { progress, wait }) => {
    for (let ended = 0; ended < findings.length; ended += 1) {
      progress({ ended, all: findings.length });
      await wait(120);
    }
    return { findings: [...findings] };
  },
  'bundle.make': async ({ names }, { world, progress, wait }) => {
    progress({ ended: 0, all: 1 });
    await wait(500);
    const clusters = world.list('clusters').map(({ name, state }, index) => ({
      name: names ? name : `cluster-${index + 1}`,
      state,
    }));
    return {
      fileName: 'lanyard-support.txt',
      text: [
        'Lanyard, support bundle of the demo: all of it is invented',
        '',
        ...findings.map(({ level, message }) => `${level}: ${message}`),
        '',
        ...clusters.map(({ name, state }) => `${name}: ${state}`),
        '',
      ].join('\n'),
    };
  },
} satisfies SomeHandlers;

function settingsOf(world: SampleWorld): Settings {
  return settingsBox(world).value;
}

function settingsBox(world: SampleWorld): { value: Settings } {
  return world.memory('settings', () => ({ value: { ...defaultSettings, lock: { afterIdle: '15m' } } }));
}

const fine = (group: FindingView['group'], check: string, message: string): FindingView => ({
  group,
  check,
  subject: null,
  level: 'ok',
  message,
  hint: null,
});

const findings: readonly FindingView[] = [
  {
    group: 'accounts',
    check: 'plugin',
    subject: 'lab-sso',
    level: 'problem',
    message: 'the plugin failed: exit 1, 3 times in 5 min',
    hint: 'run it in a terminal to see what it says: lab-sso token --realm gpu',
  },
  {
    group: 'kubeconfigs',
    check: 'plain',
    subject: '/home/dev/.kube/config',
    level: 'warning',
    message: 'it holds a refresh token and a client key in plain text',
    hint: 'import it: the secrets go into the vault',
  },
  {
    group: 'proxy',
    check: 'proxy.noProxy',
    subject: null,
    level: 'warning',
    message:
      'HTTPS_PROXY is set, and NO_PROXY doesn’t name 127.0.0.1: Python sends requests for the request proxy there',
    hint: 'add 127.0.0.1 to NO_PROXY',
  },
  fine('proxy', 'proxy.listener', 'it listens on 127.0.0.1:27443'),
  fine('broker', 'vault', 'the vault can be read, and its key is in the keychain'),
  fine('broker', 'history', 'the history can be written'),
  fine('clusters', 'reach', 'all clusters that are in use answer'),
  fine('tools', 'kubectl', 'kubectl 1.34 is in the search path'),
];
