/**
 * A process that runs one program as the broker does, for tests that end it: `runner-process.ts ORDER`, the order in
 * JSON. Prints `{"helper": PID}` once the helper runs, and how the run ended.
 */
import { builtRunner } from './program-runs.ts';

const order = JSON.parse(process.argv[2] ?? '{}');
const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const runner = builtRunner();
const done = runner.run(order, {
  onStderr: () => undefined,
  onLapse: (lapsed) => print({ lapsed }),
  signal: new AbortController().signal,
});
const look = setInterval(() => {
  if (runner.process) {
    clearInterval(look);
    print({ helper: runner.process.pid });
  }
}, 5);
const outcome = await done;
print(outcome.how === 'exited' ? { ...outcome, stdout: outcome.stdout.reveal() } : outcome);
