import { Secret } from '../../../base/secret.ts';
import { credentialProviderAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import type { CredentialRequest, ServiceAccount } from '../../../ports/account.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import type { PluginPrograms } from '../../../ports/plugin-programs.ts';
import type { RunOrder, RunOutcome } from '../../../ports/program-runner.ts';
import { PluginMemory } from '../../plugins/memory.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createCredentialProviderAccount } from '../credential-provider-account.ts';
import { ProviderAnswers } from '../provider-answers.ts';

export const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
const noSignal = new AbortController().signal;

/** The account `ecr` with a plugin that answers as it is told, over fakes for all else. */
export function createProviderBench(config: object = {}) {
  const clock = new FakeClock();
  const answers = new ProviderAnswers();
  const orders: RunOrder[] = [];
  const events: HistoryEvent[] = [];
  const state: {
    found: Awaited<ReturnType<PluginPrograms['find']>>;
    outcome: RunOutcome;
    before: () => void;
    said: string;
  } = {
    found: { ok: true, path: '/opt/plugin', target: '/opt/plugin', sha256: null },
    outcome: { how: 'lost' },
    before: () => undefined,
    said: '',
  };
  const account = createCredentialProviderAccount({
    account: {
      name: 'ecr',
      config: {
        credentialProvider: credentialProviderAccount.parse({ apiVersion, command: 'plugin', ...config }),
      },
      certificateAuthorityPem: null,
    },
    vault: new FakeVault({ secrets: {} }),
    clock,
    programs: {
      find: async () => state.found,
      check: async () => ({ facts: someProgram('/opt/plugin'), bound: null, fault: null }),
      openFolders: async () => [],
    },
    memory: new PluginMemory(),
    recorder: { record: (event) => events.push(event) },
    answers,
    runProgram: () => ({
      process: null,
      async run(order, watch) {
        orders.push(order);
        watch.onStderr(Buffer.from(state.said));
        state.before();
        return state.outcome;
      },
    }),
    environment: { HOME: '/home/u', AWS_PROFILE: 'other', https_proxy: 'http://p:1' },
  });
  const ask = async (image: string, serviceAccount?: ServiceAccount) => {
    const target = { kind: 'registry', name: 'r' };
    return account.shapedBy?.({ image, target, serviceAccount } as unknown as CredentialRequest);
  };
  const shaped = async (image: string, serviceAccount?: ServiceAccount) => {
    const found = await ask(image, serviceAccount);
    if (!found?.ok) {
      throw new Error(`no account for the image: ${found?.message}`);
    }
    return found.account;
  };
  return {
    account,
    clock,
    answers,
    orders,
    events,
    state,
    shaped,
    ask,
    renew: async (image: string, serviceAccount?: ServiceAccount) =>
      (await shaped(image, serviceAccount)).renew(noSignal),
    says(response: object) {
      const text = JSON.stringify({ kind: 'CredentialProviderResponse', apiVersion, ...response });
      state.outcome = { how: 'exited', code: 0, stdout: new Secret(text) };
    },
  };
}
