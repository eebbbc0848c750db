import { expect, test } from 'vitest';
import { buildExecProxyClient, whyNoExecProxyClient } from '../support/exec-proxy-client.ts';
import { makeHome } from '../support/home.ts';
import { run } from '../support/processes.ts';

const why = whyNoExecProxyClient();
if (why !== null) {
  process.stderr.write(`skipped: the tests of the example of a client that knows KEP-2718: ${why}\n`);
}

/** docs/examples/exec-proxy-client: its own tests, in Go, with a proxy of theirs. */
test.skipIf(why !== null)(
  'the example of a client does the client’s side of KEP-2718',
  async () => {
    const program = await buildExecProxyClient({ test: true });
    const home = makeHome();
    try {
      const done = await run(program, [], { cwd: home.outside, env: home.env, timeoutMilliseconds: 300_000 });
      expect(done).toMatchObject({ code: 0, stdout: 'PASS\n' });
    } finally {
      home.dispose();
    }
  },
  1_800_000,
);
