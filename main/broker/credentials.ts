import { AccountRegistry } from '../access/account-registry.ts';
import { createAwsKeySource } from '../access/aws-key-source.ts';
import { ProviderAnswers } from '../accounts/credential-provider/provider-answers.ts';
import { LateTabs } from '../accounts/oidc/login/late-tabs.ts';
import { createKeptTokens, type KeptTokens } from '../accounts/pkcs11/kept-tokens.ts';
import { createListModule, type ListModule } from '../accounts/pkcs11/list-module.ts';
import { PluginMemory } from '../accounts/plugins/memory.ts';
import { createRunningSigners, type RunningSigners } from '../accounts/request-signer/running-signers.ts';
import { createSecretFileReader } from '../accounts/secret-file.ts';
import type { Disposables } from '../base/disposables.ts';
import { accountOfHub } from '../domain/inventory/secret-reader.ts';
import { usesAccount } from '../domain/target/uses-account.ts';
import { Grants } from '../grants/grants.ts';
import { Logins } from '../grants/logins.ts';
import type { ClusterReach } from '../kubernetes/cluster-reach.ts';
import { createHubSecrets } from '../kubernetes/hub-secrets.ts';
import { createClusterProbe } from '../kubernetes/probe.ts';
import type { Gate } from '../ports/broker-core.ts';
import type { ProxyEntrance } from '../ports/request-proxy.ts';
import { createAccountMaker } from './account-maker.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

/** The accounts, their logins, and the credentials that are valid now. */
export interface Credentials {
  directory: AccountRegistry;
  logins: Logins;
  grants: Grants;
  pluginMemory: PluginMemory;
  makeAccount: ReturnType<typeof createAccountMaker>;
  /** The programs that sign requests of proxied clusters. */
  signers: RunningSigners;
  /** The tokens of accounts whose keys stay there. */
  tokens: KeptTokens;
  /** What is to be seen of a PKCS#11 module without a login. */
  listModule: ListModule;
  /** How Lanyard’s own requests reach clusters. */
  reach: ClusterReach;
}

/** What is needed of parts that are made later. */
export interface CredentialsLater {
  /** The lock is open. */
  isOpen(): boolean;
  gate: Gate;
  /** An account changed or was removed: the answers for it are forgotten. */
  onGone(account: string): void;
  ownWay: ProxyEntrance['ownWay'];
  /** An account logged in or out, or was changed: what the request proxy has of it is asked for anew. */
  onForgotten(): void;
}

export function createCredentials(
  deps: BrokerDeps,
  { bindings, serving, programs }: Served,
  { recorder, metrics }: Records,
  later: CredentialsLater,
  disposables: Disposables,
): Credentials {
  const { clock, log, config, desktop } = deps;
  const reach: ClusterReach = { environment: deps.environment, ownWay: later.ownWay };
  const providerAnswers = new ProviderAnswers();
  const logins: Logins = new Logins({
    clock,
    log,
    recorder,
    onDone: (name) => grants.loggedIn(name),
    isTold: () => config.current().settings.notifications.logins && (desktop?.tellsNow() ?? false),
  });
  const grants: Grants = disposables.add(
    new Grants({
      clock,
      log,
      logins,
      recorder,
      probe: createClusterProbe(reach),
      usable: (name) => {
        const found = directory.target(name);
        if (!found.ok) {
          return null;
        }
        const account = directory.account(found.target.account);
        return account.ok ? { target: found.target, account: account.account } : null;
      },
      events: deps.events,
      isOpen: later.isOpen,
      onAsked: (name, isGood, milliseconds) => metrics.obtained(name, isGood, milliseconds),
      onForgotten: (name) => {
        if (name === null) {
          providerAnswers.forgetAll();
          signers.endAll();
        } else {
          providerAnswers.forget(name);
          signers.end(name);
          // What was made of its keys goes with them.
          for (const user of serving.current().accounts.values()) {
            if (usesAccount(user.config, name)) {
              grants.forget(user.name);
            }
          }
        }
        later.onForgotten();
      },
    }),
  );
  const pluginMemory = new PluginMemory();
  const lateTabs = disposables.add(new LateTabs(clock));
  const hubs = createHubSecrets({
    gate: later.gate,
    directory: { account: (name) => directory.account(name), cluster: (name) => directory.cluster(name) },
    grants,
    reach,
    accountOfHub: (name) => accountOfHub(name, serving.current()),
  });
  const awsKeys = createAwsKeySource({
    gate: later.gate,
    directory: { account: (name) => directory.account(name) },
    grants,
  });
  const makeAccount = createAccountMaker({
    ...deps,
    hubs,
    awsKeys,
    tokens: {
      of: (account) => tokens.of(account),
      fault: (name) => tokens.fault(name),
      open: (name) => tokens.open(name),
      logIn: (...asked) => tokens.logIn(...asked),
      sign: (...asked) => tokens.sign(...asked),
    },
    rewritesOf: (name) => serving.current().inventories.get(name)?.config.serverRewrites ?? [],
    lateTabs,
    recorder,
    programs,
    pluginMemory,
    providerAnswers,
  });
  const directory: AccountRegistry = new AccountRegistry({
    config: serving,
    bindings,
    make: makeAccount,
    onGone: (name) => {
      logins.cancel(name, `the configuration of ${name} changed`);
      grants.forget(name);
      tokens.end(name);
      later.onGone(name);
      pluginMemory.forget(name);
    },
  });
  const signers: RunningSigners = disposables.add(
    createRunningSigners({
      ...deps,
      programs,
      recorder,
      memory: pluginMemory,
      account: (name) => directory.account(name),
      loaded: (name) => serving.current().accounts.get(name),
      random: Math.random,
    }),
  );
  const tokens: KeptTokens = disposables.add(
    createKeptTokens({
      ...deps,
      programs,
      files: createSecretFileReader(deps.access),
      // While Lanyard is being locked its vault is open still.
      usable: (name) => later.gate() ?? directory.account(name),
      loaded: (name) => serving.current().accounts.get(name),
      random: Math.random,
      onRemoved: (name) => grants.forget(name),
    }),
  );
  const listModule = createListModule(deps);
  return { directory, logins, grants, pluginMemory, makeAccount, reach, signers, tokens, listModule };
}
