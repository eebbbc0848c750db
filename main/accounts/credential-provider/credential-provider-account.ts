import { hash } from 'node:crypto';
import { RecentValues } from '../../base/recent-values.ts';
import { WeakValues } from '../../base/weak-values.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { durationMilliseconds } from '../../contract/duration.ts';
import { refuse } from '../../contract/refusal.ts';
import { shapeOfKind } from '../../domain/approval/kind-rules.ts';
import { shortBackoff } from '../../domain/backoff.ts';
import { Keyring } from '../../domain/image/auth-keys.ts';
import { nameOf, type TargetName } from '../../domain/target/target.ts';
import type { Account, Credential, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Recorder } from '../../ports/history.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { PluginMemory } from '../plugins/memory.ts';
import { examineProgram, type ProgramAccount, programState } from '../plugins/program-account.ts';
import { providerRunSeconds } from '../plugins/rules/time-limits.ts';
import type { KeptAnswer, ProviderAnswers } from './provider-answers.ts';
import { type Pull, readPull } from './pull.ts';
import { type ProviderRunDeps, runProvider } from './run-provider.ts';

export interface CredentialProviderDeps extends Omit<ProviderRunDeps, 'config' | 'programs'> {
  clock: Clock;
  programs: PluginPrograms;
  memory: Pick<PluginMemory, 'note' | 'lastOf'>;
  recorder: Recorder;
  answers: ProviderAnswers;
}

/** So many images are known at a time; a pod may ask for ever new ones. */
const imageLimit = 2_048;

/** A run’s own limit comes first; its program takes some time to end. */
const renewalLimitMilliseconds = (providerRunSeconds + 20) * 1_000;

/**
 * KEP-2133 from the kubelet’s side: an image credential provider that Lanyard runs, once for each image at a time. Each
 * image, and each service account’s token, has its own grant, so that no image gets another’s credential; answers are cached as a kubelet does.
 */
export function createCredentialProviderAccount(deps: CredentialProviderDeps): Account {
  const { account, memory, answers, clock } = deps;
  const { name } = account;
  if (!('credentialProvider' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no credential provider`);
  }
  const config = account.config.credentialProvider;
  const defaultCacheMilliseconds = durationMilliseconds(config.defaultCacheDuration) ?? 0;
  const ownShape = shapeOfKind('account', account);
  const byImage = new RecentValues<Account>(imageLimit);
  const byToken = new WeakValues<Account>();

  const obtain = async (pull: Pull, target: TargetName, signal: AbortSignal): Promise<Obtained> => {
    const { image } = pull;
    const kept = answers.find(name, pull, clock.now());
    if (kept) {
      return { ok: true, credential: credentialOf(kept.response, kept, image) };
    }
    const of = answers.of(name, clock.now());
    const begunAt = clock.boottime();
    const { run, lines, counted } = await runProvider({ ...deps, config }, pull, signal);
    const now = clock.now();
    const milliseconds = Math.round(clock.boottime() - begunAt);
    if (counted) {
      deps.recorder.record({
        kind: 'pluginRun',
        plugin: 'credentialProvider',
        account: name,
        target,
        where: 'broker',
        ...counted,
        code: run.ok ? null : run.code,
        milliseconds,
      });
    }
    memory.note({
      account: name,
      cluster: null,
      at: now,
      milliseconds,
      where: 'broker',
      problem: run.ok ? null : run.message,
      isByHand: false,
      lines,
    });
    if (!run.ok) {
      return run;
    }
    const cached = answers.keep(name, of, pull, run.response, { now, defaultCacheMilliseconds });
    return { ok: true, credential: credentialOf(run.response, cached, image) };
  };

  const asProgram: ProgramAccount = { ...deps, kind: 'credentialProvider', program: config };
  const state = () => programState(asProgram);

  const forPull = (pull: Pull, target: TargetName): Account => ({
    name,
    kind: 'credentialProvider',
    shape: { key: hash('sha256', JSON.stringify([ownShape, target, pull.flight]), 'base64'), target },
    keepsNothing: true,
    // A plugin is run when an image is asked for.
    renewsAhead: false,
    backoff: shortBackoff,
    renewalLimitMilliseconds,
    current: async () => null,
    renew: (signal) => obtain(pull, target, signal),
    state,
  });

  return {
    name,
    kind: 'credentialProvider',
    keepsNothing: true,
    renewsAhead: false,
    async shapedBy({ image, target, serviceAccount }) {
      if (image === undefined) {
        return refuse(
          'notPermitted',
          'credentialProvider.noImage',
          `${name} runs an image credential provider, and ${target.name} is no registry`,
        );
      }
      const read = readPull(name, config.tokenAttributes, image, serviceAccount);
      if (!read.ok) {
        return read;
      }
      const { pull } = read;
      const key = JSON.stringify([target.name, pull.flight]);
      const known = pull.serviceAccount ? byToken : byImage;
      return { ok: true, account: known.of(key, () => forPull(pull, nameOf(target))) };
    },
    current: async () => null,
    renew: async () =>
      refuse(
        'internal',
        'credentialProvider.noImage',
        `what the plugin of ${name} returns depends on the image, and none was given`,
      ),
    state,
    examine: () => examineProgram(asProgram),
  };
}

/**
 * What the kubelet’s keyring has for the image; other keys of the answer are not used. An answer that isn’t cached is
 * for those who wait for it alone.
 */
function credentialOf(
  { auth }: KeptAnswer['response'],
  cached: KeptAnswer | null,
  image: string,
): Credential {
  const [password = null] = new Keyring([auth]).lookup(image);
  return {
    token: null,
    certificate: null,
    password,
    isForImage: true,
    issuedAt: cached?.issuedAt ?? null,
    expiresAt: cached?.expiresAt ?? null,
    ...(cached === null && { noExpiry: { ownExpiry: null, onlyFor: [] } }),
  };
}
