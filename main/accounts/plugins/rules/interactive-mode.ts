import type { ExecPluginConfig } from '../../../contract/config/accounts/exec-plugin.ts';

export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** The plugin's mode; versions before v1 may leave it out (KEP-541). */
export function interactiveModeOf(config: Pick<ExecPluginConfig, 'interactiveMode'>): InteractiveMode {
  return config.interactiveMode ?? 'IfAvailable';
}
