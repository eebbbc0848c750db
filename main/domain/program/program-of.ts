import type { AccountConfig, ExecPluginConfig } from '../../contract/config/config.ts';

/** What an account that runs a plugin runs; null: it runs none. */
export function programOf(
  config: AccountConfig,
): Pick<ExecPluginConfig, 'command' | 'args' | 'env' | 'searchPath' | 'pin'> | null {
  if ('execPlugin' in config) {
    return config.execPlugin;
  }
  return 'credentialProvider' in config ? config.credentialProvider : null;
}
