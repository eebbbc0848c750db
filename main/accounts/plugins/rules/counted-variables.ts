import { Secret } from '../../../base/secret.ts';
import type { ExecPluginConfig } from '../../../contract/config/accounts/exec-plugin.ts';
import { mayReachPlugin } from '../../../contract/loader-variables.ts';

/** What well-known plugins read of the environment, by the command's name. */
const wellKnown: Readonly<Record<string, readonly string[]>> = {
  aws: ['AWS_*'],
  'aws-iam-authenticator': ['AWS_*'],
  'aws-vault': ['AWS_*'],
  'gke-gcloud-auth-plugin': ['CLOUDSDK_*', 'GOOGLE_*'],
  gcloud: ['CLOUDSDK_*', 'GOOGLE_*'],
  az: ['AZURE_*', 'ARM_*'],
  kubelogin: ['AAD_*', 'AZURE_*', 'ARM_*'],
  tsh: ['TELEPORT_*'],
  doctl: ['DIGITALOCEAN_*'],
  oci: ['OCI_*'],
  ibmcloud: ['IBMCLOUD_*', 'BLUEMIX_*'],
  pinniped: ['PINNIPED_*'],
};

/** They begin as those of a well-known plugin do, and name a program: only an account that says so takes it from the caller. */
const namesProgram = /^CLOUDSDK_PYTHON(_ARGS)?$/i;

/** The caller's variables that count for the plugin: names, and beginnings of names with a `*`. */
export function countedVariables({
  command,
  environment,
}: Pick<ExecPluginConfig, 'command' | 'environment'>) {
  if (environment !== undefined) {
    return environment;
  }
  const name = (command.split(/[/\\]/).at(-1) ?? '').replace(/\.(exe|cmd|bat)$/i, '');
  return Object.hasOwn(wellKnown, name) ? (wellKnown[name] ?? []) : [];
}

/** Those of the caller's variables that reach the plugin: not what its configuration sets, no loader's. In order of their names. */
export function countedValues(
  told: Readonly<Record<string, string>>,
  { env, environment }: Pick<ExecPluginConfig, 'env' | 'environment'>,
): [name: string, value: Secret][] {
  const own = new Set(env.map(({ name }) => name));
  return Object.entries(told)
    .filter(([name]) => !own.has(name) && mayReachPlugin(name))
    .filter(([name]) => environment !== undefined || !namesProgram.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, new Secret(value)]);
}
