import { visibleText } from '../text/visible-text.ts';

/** How a provider’s plugin is run: parts of an `execPlugin` account. */
export interface ProviderPlugin {
  apiVersion: ExecVersion;
  /** As stated: a name, or a path. */
  command: string;
  args: readonly string[];
  env: readonly { name: string; value: string }[];
  provideClusterInfo: boolean;
  installHint: string | null;
}

/** A provider of a controller’s configuration, as it would become one of an inventory, with an account. */
export type FileProvider =
  | {
      ok: true;
      name: string;
      plugin: ProviderPlugin;
      profileSourcedCLIArgsPolicy: 'Ignore' | 'Append';
      profileSourcedEnvVarsPolicy: 'Ignore' | 'AppendIfNotExists' | 'Replace';
    }
  /** `fault`: in words that continue the name. */
  | { ok: false; name: string; fault: string };

export const execVersions = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
  'client.authentication.k8s.io/v1alpha1',
] as const;
export type ExecVersion = (typeof execVersions)[number];

/** The provider with this fault; the name is safe for display. */
export function faultyProvider(name: string, fault: string): FileProvider {
  return { ok: false, name: visibleText(name, 256), fault };
}
