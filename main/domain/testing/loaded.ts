import { account } from '../../contract/config/accounts/account.ts';
import { cluster } from '../../contract/config/cluster.ts';
import { inventory } from '../../contract/config/inventory.ts';
import { registry } from '../../contract/config/registry.ts';
import type { LoadedAccount, LoadedCluster, LoadedInventory, LoadedRegistry } from '../loaded-config.ts';

/** Entries as they are loaded of config.yaml, with what counts by default. */
export const loadedAccount = (name: string, config: object): LoadedAccount => ({
  name,
  config: account.parse(config),
  certificateAuthorityPem: null,
});

/** `more`: fields of config.yaml besides the account bot and a server of its name. */
export const loadedCluster = (name: string, more: object = {}): LoadedCluster => ({
  name,
  config: cluster.parse({ server: `https://${name}.example.com`, account: 'bot', ...more }),
  certificateAuthorityPem: null,
});

/** A cluster that is the profile of its name, of the namespace team of the inventory fleet. */
export const loadedProfile = (name: string, more: object = {}, uid = 'u'): LoadedCluster => ({
  ...loadedCluster(name, more),
  origin: { inventory: 'fleet', namespace: 'team', name, uid, provider: 'eks' },
});

export const loadedRegistry = (name: string, config: object): LoadedRegistry => ({
  name,
  config: registry.parse({ account: 'bot', ...config }),
  certificateAuthorityPem: null,
});

export const loadedInventory = (name: string, config: object): LoadedInventory => ({
  name,
  config: inventory.parse({ cluster: 'hub', ...config }),
  certificateAuthorityPem: null,
});
