import { expect } from 'vitest';
import type { AgentOptions, TestAgent } from '../../support/agent.ts';
import { execVersion, findKubectls } from '../../support/kubectl.ts';
import type { Ended } from '../../support/processes.ts';
import { Stage, until } from '../../support/stage.ts';
import { createStandInBrowser } from '../../support/stand-in-browser.ts';
import { type Desk, openDesk } from './desk.ts';

const { newest } = findKubectls();
/** Typed by real keys. */
const passphrase = 'one of this test';
const pods = ['--context', 'prod', 'get', 'pods', '-o', 'name'];

/** A person at a desk with the app: a provider, an API server, and the account `corp` with its cluster `prod`. */
export interface DesktopStage {
  readonly desk: Desk;
  readonly stage: Stage;
  readonly passphrase: string;
  /** Of the tray’s icon. */
  toolTip(): string;
  /** Begins a login, and ends it at the provider as the person would in the browser that opens. */
  logIn(begin: () => void): Promise<void>;
  /** `kubectl get pods`, which waits for a login where one is needed. */
  getPods(): Promise<Ended>;
  /** *Quit Lanyard* in the tray’s menu. */
  quit(): void;
  dispose(): Promise<void>;
}

/** `startApp`: the app in that home, with its vault open; `env` has what it needs of the desk. */
export async function openDesktopStage(
  startApp: (options: AgentOptions) => Promise<TestAgent>,
): Promise<DesktopStage> {
  await using stack = new AsyncDisposableStack();
  const desk = stack.adopt(await openDesk(), (each) => each.dispose());
  const browser = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  const stage = stack.adopt(
    await Stage.open({
      startAgent: startApp,
      agent: { passphrase, env: { ...browser.env, ...desk.env } },
      extend(config, own) {
        const { prod = {} } = config.clusters;
        config.accounts = { corp: own.oidcAccount(own.provider, { extraParams: { prompt: 'consent' } }) };
        config.clusters = { prod };
      },
    }),
    (each) => each.dispose(),
  );
  const kubeconfig = await stage.writeKubeconfig(execVersion(newest));
  const toolTip = () => desk.tray().ToolTip[0];
  const kept = stack.move();
  return {
    ...{ desk, stage, passphrase, toolTip },
    async logIn(begin) {
      const before = browser.opened().length;
      begin();
      const address = await until(() => browser.opened()[before], 'an address');
      expect(new URL(address).origin).toBe(new URL(stage.provider.issuer).origin);
      await stage.provider.person.logInAt(address, { login: 'alice' });
      await until(() => (toolTip() === 'Lanyard: all well' ? true : null), 'the end of the login');
    },
    getPods: () => stage.start(newest.path, pods, { env: { KUBECONFIG: kubeconfig }, input: '' }).ended,
    quit() {
      try {
        desk.click('Quit Lanyard');
      } catch {
        // It may end before it answers the bus.
      }
    },
    dispose: () => kept.disposeAsync(),
  };
}
