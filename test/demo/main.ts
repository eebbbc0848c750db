import { explainKept } from './keep.ts';
import { parseOptions } from './options.ts';
import { Screen } from './screen.ts';
import { Stage } from './stage.ts';
import { certificateSteps } from './steps/certificate.ts';
import { pluginSteps } from './steps/plugin.ts';
import { prepareSteps } from './steps/prepare.ts';
import { Mismatch, type Step } from './steps/step.ts';
import { tokenSteps } from './steps/tokens.ts';
import { troubleSteps } from './steps/trouble.ts';

/** The demo: `scripts/demo` sets up what it needs and starts this. Exits with 1 where a step did not do as its row says. */

const steps: readonly Step[] = [
  ...prepareSteps,
  ...tokenSteps,
  ...certificateSteps,
  ...pluginSteps,
  ...troubleSteps,
];

function introduce({ screen, provider, api, kubectl, home }: Stage): void {
  screen.print('Lanyard’s main job, with real parts. In this process, for the demo:');
  screen.print(`   OpenID provider  ${provider.issuer}  (oidc-provider)`);
  screen.print(`   Kubernetes API   ${api.server}  (TLS; checks tokens, certificates)`);
  screen.print('and beside it:');
  screen.print(`   kubectl ${kubectl.version.padEnd(8)} ${kubectl.path}`);
  screen.print(`   broker’s home    ${home.path}  (thrown away at the end)`);
  screen.print('   vault’s key      from a passphrase file: no desktop keychain is needed\n');
}

/** Runs all steps and hands back what went wrong, a line each. */
async function runSteps(stage: Stage): Promise<string[]> {
  const failures: string[] = [];
  stage.screen.heading();
  for (const { what, essential, run } of steps) {
    stage.screen.status(`${what} …`);
    try {
      stage.screen.row({ what, ...(await run(stage)), ok: true });
    } catch (error) {
      const why = error instanceof Mismatch ? error.message : `it broke: ${String(error)}`;
      stage.screen.row({ what, did: 'not what was expected: see below', milliseconds: null, ok: false });
      failures.push(`${what}: ${why}`);
      if (essential) {
        break;
      }
    }
  }
  stage.screen.print();
  return failures;
}

async function showStatus(stage: Stage): Promise<string[]> {
  const ended = await stage.lanyard(['status']);
  stage.screen.print(`$ lanyard status\n${ended.stdout}${ended.stderr}`);
  return ended.code === 0 ? [] : [`lanyard status ended with ${ended.code}`];
}

/** All of the demo. Hands back the exit code. */
async function show(stage: Stage): Promise<number> {
  introduce(stage);
  const failures = await runSteps(stage);
  failures.push(...(await showStatus(stage)));
  if (failures.length === 0) {
    stage.screen.print(`All ${steps.length} steps did what the table says.`);
    return 0;
  }
  stage.screen.print('The end of the broker’s log:');
  stage.screen.print(stage.brokerLog().trim().split('\n').slice(-8).join('\n'));
  stage.screen.print('\nNot what the table says:');
  stage.screen.print(failures.map((failure) => `✗ ${failure}`).join('\n'));
  return 1;
}

/** Resolves to the exit code for a signal that ends the demo. */
function untilSignal(): Promise<number> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve(130));
    process.on('SIGTERM', () => resolve(143));
    process.on('SIGHUP', () => resolve(129));
  });
}

const options = parseOptions(process.argv.slice(2));
const interrupted = untilSignal();
const screen = new Screen(process.stdout);
const stage = await Stage.open(options, screen);
try {
  const shown = show(stage);
  // What is under way at a Ctrl-C fails when its programs are ended: that is no news.
  shown.catch(() => undefined);
  const ended = await Promise.race([shown, interrupted.then((code) => ({ code }))]);
  if (typeof ended === 'object') {
    screen.print('interrupted');
    process.exitCode = ended.code;
  } else {
    process.exitCode = ended;
    if (options.keep) {
      explainKept(stage);
      await interrupted;
    }
  }
} finally {
  screen.close();
  await stage.dispose();
}
process.exit();
