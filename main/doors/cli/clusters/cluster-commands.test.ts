import { expect, test } from 'vitest';
import { commandCall } from '../testing/command-call.ts';
import { type ClusterCommandDeps, clusterRemoveCommand } from './cluster-commands.ts';

test('cluster remove refuses an alias: a page can set one', async () => {
  const clusters = new Map([['prod', { name: 'prod', config: { aliases: ['old'] } }]]);
  const config = { current: () => ({ clusters }) };
  // No other part is reached.
  const remove = clusterRemoveCommand({ config } as unknown as ClusterCommandDeps);
  await expect(remove(commandCall(['old']))).rejects.toThrow('"old" is an alias of prod: use the name');
});
