import type { InventoryConfig } from '../contract/config/inventory.ts';
import type { Profile } from '../domain/inventory/profile.ts';
import {
  type ProfileResolver,
  profileResolver,
  type Resolution,
} from '../domain/inventory/resolve-profile.ts';
import type { LoadedConfig } from '../domain/loaded-config.ts';

interface Made {
  resolver: ProfileResolver;
  accounts: LoadedConfig['accounts'];
  resolution: Resolution;
}

/** Profiles as a configuration resolves them: the same object as long as neither of the two changed. */
export class Resolutions {
  readonly #resolvers = new WeakMap<InventoryConfig, ProfileResolver>();
  readonly #made = new WeakMap<Profile, Made>();

  /** Null: the configuration doesn’t have its inventory. */
  of(profile: Profile, { inventories, accounts }: LoadedConfig): Resolution | null {
    const inventory = inventories.get(profile.inventory);
    if (!inventory) {
      return null;
    }
    const resolver = this.#resolverOf(inventory.name, inventory.config);
    const made = this.#made.get(profile);
    if (made?.resolver === resolver && made.accounts === accounts) {
      return made.resolution;
    }
    const resolution = resolver(profile, accounts);
    this.#made.set(profile, { resolver, accounts, resolution });
    return resolution;
  }

  /** One for each inventory as long as its configuration is the same object: its patterns are parsed once. */
  #resolverOf(name: string, config: InventoryConfig): ProfileResolver {
    const resolver = this.#resolvers.get(config) ?? profileResolver({ name, config });
    this.#resolvers.set(config, resolver);
    return resolver;
  }
}
