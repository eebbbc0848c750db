import { BrokerError } from '../../../contract/broker-error.ts';
import type { ClusterConfig } from '../../../contract/config/cluster.ts';
import { isSecretInVariable, secretsInArguments } from '../../../domain/import/exec-secrets.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { usageError } from '../command.ts';

/**
 * The options `--additional-arg` and `--additional-env NAME=VALUE` as config.yaml has them. Throws BrokerError (reason
 * usage), for secrets as well: config.yaml holds none, and a cluster has none in the vault.
 */
export function pluginAdditions(
  args: string[] | undefined,
  variables: string[] | undefined,
): Pick<ClusterConfig, 'additionalArgs' | 'additionalEnv'> {
  const [inArguments] = secretsInArguments(args ?? []);
  if (inArguments !== undefined) {
    throw secretGiven(`its arguments hold ${inArguments}: who looks at running programs sees them`);
  }
  const env = variables?.map((text) => {
    const at = text.indexOf('=');
    if (at < 0) {
      throw usageError('cluster add', '--additional-env takes NAME=VALUE');
    }
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    if (isSecretInVariable(name, value)) {
      throw secretGiven(`${visibleText(name, 200)} holds a secret, and config.yaml holds none`);
    }
    return { name, value };
  });
  return { ...(args && { additionalArgs: args }), ...(env && { additionalEnv: env }) };
}

function secretGiven(message: string): BrokerError {
  return new BrokerError('cluster.secretGiven', message, {
    reason: 'usage',
    hint: 'where the plugin takes it from a variable, its account can have that in the vault: lanyard secret set ACCOUNT/env.NAME',
  });
}
