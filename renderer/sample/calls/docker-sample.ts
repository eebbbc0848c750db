import type { SampleCall, SomeHandlers } from '../sample-calls.ts';

const file = '/home/dev/.docker/config.json';
const logins = ['ghcr.io', 'https://index.docker.io/v1/', 'registry.example.com:5000'];

/** Whether docker’s config.json names Lanyard by now. */
function state(world: SampleCall<'docker.plan'>['world']): Map<'installed', boolean> {
  return world.memory('docker', () => new Map());
}

export const dockerSample = {
  'docker.plan': (_, { world }) => {
    const isInstalled = state(world).get('installed') === true;
    return {
      docker: {
        file,
        plaintext: isInstalled ? [] : logins,
        moves: isInstalled ? [] : logins,
        left: [],
        others: isInstalled ? [] : [{ server: 'gcr.io', helper: 'gcloud' }],
        warnings: isInstalled
          ? []
          : ['the nodes of kind, and other programs that read auths alone, find no password in the file'],
        changes: !isInstalled,
        fault: null,
      },
    };
  },
  'docker.install': (_, { world }) => {
    state(world).set('installed', true);
    return { file, moved: logins, left: [], undo: 'docker-1' };
  },
  'docker.undo': (_, { world }) => {
    state(world).set('installed', false);
    return { file, how: 'restored' };
  },
} satisfies SomeHandlers;
