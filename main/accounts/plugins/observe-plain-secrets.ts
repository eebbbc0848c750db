import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { isSecretInVariable, secretsInArguments } from '../../domain/import/exec-secrets.ts';
import { type Observation, observe } from '../../domain/text/finding.ts';

/** Secrets that the user wrote into config.yaml, where none belongs: it is kept in dotfiles. */
export function observePlainSecrets(
  name: string,
  { args, env }: Pick<ExecPluginConfig, 'args' | 'env'>,
): Observation[] {
  const found = observe('account.plainSecret');
  return [
    ...secretsInArguments(args).map((what) =>
      found.warning(
        `config.yaml holds ${what} in plain text, among its arguments`,
        'put it into env, where the plugin takes it from there; others see arguments while a program runs',
      ),
    ),
    ...env
      .filter(({ name: variable, value }) => value !== undefined && isSecretInVariable(variable, value))
      .map(({ name: variable }) =>
        found.warning(
          `config.yaml holds ${variable} in plain text`,
          `take its value out there, then: lanyard secret set ${name}/env.${variable}`,
        ),
      ),
  ];
}
