import { SampleRefusal, type SomeHandlers } from '../sample-calls.ts';
import type { SampleWorld } from '../sample-world.ts';

export const toolsSample = {
  'tools.install': (_, { world }) => {
    world.patch('tools', '', { kind: 'installed', trouble: [] });
    return { made: toolPaths(world), left: [], notes: [] };
  },
  'tools.remove': (_, { world }) => {
    world.patch('tools', '', { kind: 'none', trouble: [] });
    return { removed: toolPaths(world), left: [] };
  },
} satisfies SomeHandlers;

function toolPaths(world: SampleWorld): string[] {
  const folder = world.get('tools', '')?.folder;
  if (folder === undefined) {
    throw new SampleRefusal('there is no folder for them');
  }
  const names = ['lanyard', 'kubectl-lanyard', 'kubectl_complete-lanyard', 'docker-credential-lanyard'];
  return names.map((name) => `${folder}/${name}`);
}
